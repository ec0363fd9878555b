;;; LandingPadInst needs to be in a function with a personality.
declare void @may_throw()
define void @no_personality() {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
;;; LandingPadInst needs at least one clause or to be a cleanup.
declare void @may_throw()
declare i32 @personality(...)
define void @no_clause() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %l = landingpad { ptr, i32 }
  ret void
}
;;; EH pad cannot be in entry block.
declare i32 @personality(...)
define void @entry_pad() personality ptr @personality {
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
;;; Block containing LandingPadInst must be jumped to only by the unwind edge of an invoke.
declare i32 @personality(...)
define void @jumped_to() personality ptr @personality {
  br label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
;;; LandingPadInst not the first non-PHI instruction in the block.
declare void @may_throw()
declare i32 @personality(...)
define void @second(i32 %a) personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %x = add i32 %a, 1
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
;;; The landingpad instruction should have a consistent result type inside a function.
declare void @may_throw()
declare i32 @personality(...)
define void @two_types() personality ptr @personality {
  invoke void @may_throw() to label %next unwind label %pad
next:
  invoke void @may_throw() to label %normal unwind label %other
normal:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
other:
  %m = landingpad { ptr, i64 } cleanup
  ret void
}
;;; The unwind destination does not have an exception handling instruction!
declare void @may_throw()
declare i32 @personality(...)
define void @no_pad() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  ret void
}
;;; ResumeInst needs to be in a function with a personality.
define void @resumes({ ptr, i32 } %l) {
  resume { ptr, i32 } %l
}
;;; The resume instruction should have a consistent result type inside a function.
declare void @may_throw()
declare i32 @personality(...)
define void @resumes_other(i32 %x) personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume i32 %x
}
;;; CatchSwitchInst needs to be in a function with a personality.
declare void @may_throw()
define void @switch_without() {
  invoke void @may_throw() to label %normal unwind label %switch
normal:
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind to caller
handler:
  %c = catchpad within %s []
  catchret from %c to label %normal
}
;;; CatchSwitchInst handlers must be catchpads
declare void @may_throw()
declare i32 @personality(...)
define void @no_handler() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %switch
normal:
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind to caller
handler:
  ret void
}
;;; CleanupPadInst not the first non-PHI instruction in the block.
declare void @may_throw()
declare i32 @personality(...)
define void @second_cleanup() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  call void @may_throw()
  %c = cleanuppad within none []
  cleanupret from %c unwind to caller
}
;;; EH pad must be jumped to via an unwind edge
declare i32 @personality(...)
define void @jumped_to_cleanup() personality ptr @personality {
  br label %pad
pad:
  %c = cleanuppad within none []
  cleanupret from %c unwind to caller
}
;;; Block containg CatchPadInst must be jumped to only by its catchswitch.
declare void @may_throw()
declare i32 @personality(...)
define void @jumped_to_handler(i1 %x) personality ptr @personality {
  br i1 %x, label %call, label %handler
call:
  invoke void @may_throw() to label %normal unwind label %switch
normal:
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind to caller
handler:
  %c = catchpad within %s []
  catchret from %c to label %normal
}
;;; Catchswitch cannot unwind to one of its catchpads
declare void @may_throw()
declare i32 @personality(...)
define void @unwinds_to_handler() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %switch
normal:
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind label %handler
handler:
  %c = catchpad within %s []
  catchret from %c to label %normal
}
;;; CatchSwitchInst must unwind to an EH block which is not a landingpad.
declare void @may_throw()
declare i32 @personality(...)
define void @unwinds_nowhere() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %switch
normal:
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind label %normal
handler:
  %c = catchpad within %s []
  catchret from %c to label %normal
}
;;; CleanupReturnInst must unwind to an EH block which is not a landingpad.
declare void @may_throw()
declare i32 @personality(...)
define void @cleanup_to_normal() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %c = cleanuppad within none []
  cleanupret from %c unwind label %normal
}
;;; A cleanupret must exit its cleanup
declare void @may_throw()
declare i32 @personality(...)
define void @stays_inside() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %c = cleanuppad within none []
  cleanupret from %c unwind label %inner
inner:
  %d = cleanuppad within %c []
  cleanupret from %d unwind to caller
}
;;; EH pad cannot handle exceptions raised within it
declare void @may_throw()
declare i32 @personality(...)
define void @handles_itself() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %c = cleanuppad within none []
  cleanupret from %c unwind label %pad
}
;;; A single unwind edge may only enter one EH pad
declare void @may_throw()
declare i32 @personality(...)
define void @enters_two() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %inner
normal:
  ret void
outer:
  %c = cleanuppad within none []
  unreachable
inner:
  %d = cleanuppad within %c []
  cleanupret from %d unwind to caller
}
;;; Unwind edges out of a funclet pad must have the same unwind dest
declare void @may_throw()
declare i32 @personality(...)
define void @two_ways_out(i1 %x) personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %c = cleanuppad within none []
  br i1 %x, label %one, label %two
one:
  cleanupret from %c unwind to caller
two:
  cleanupret from %c unwind label %other
other:
  %d = cleanuppad within none []
  cleanupret from %d unwind to caller
}
;;; Unwind edges out of a catch must have the same unwind dest as the parent catchswitch
declare void @may_throw()
declare i32 @personality(...)
define void @other_than_switch() personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %switch
normal:
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind to caller
handler:
  %c = catchpad within %s []
  invoke void @may_throw() [ "funclet"(token %c) ] to label %normal unwind label %other
other:
  %d = cleanuppad within none []
  cleanupret from %d unwind to caller
}
;;; EH pads can't handle each other's exceptions
declare void @may_throw()
declare i32 @personality(...)
define void @each_other(i1 %x) personality ptr @personality {
  invoke void @may_throw() to label %normal unwind label %one
normal:
  ret void
one:
  %c = cleanuppad within none []
  cleanupret from %c unwind label %two
two:
  %d = cleanuppad within none []
  cleanupret from %d unwind label %one
}
;;; Function declaration shouldn't have a personality routine
declare i32 @personality(...)
declare void @declared() personality ptr @personality
;;; Unwind edges out of a funclet pad must have the same unwind dest
declare void @may_throw()
declare i32 @personality(...)
define void @nested_cleanups() personality ptr @personality {
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind to caller
handler:
  %c = catchpad within %s []
  invoke void @may_throw() [ "funclet"(token %c) ] to label %normal unwind label %one
inner:
  %d = cleanuppad within %c []
  unreachable
innermost:
  %e = cleanuppad within %d []
  cleanupret from %e unwind label %two
one:
  %f = cleanuppad within none []
  unreachable
two:
  %g = cleanuppad within none []
  unreachable
normal:
  ret void
}
;;; Unwind edges out of a catch must have the same unwind dest as the parent catchswitch
declare i32 @personality(...)
define void @cleanup_in_catch() personality ptr @personality {
  ret void
switch:
  %s = catchswitch within none [label %handler] unwind to caller
handler:
  %c = catchpad within %s []
  unreachable
inner:
  %d = cleanuppad within %c []
  cleanupret from %d unwind label %outer
outer:
  %f = cleanuppad within none []
  unreachable
}
;;; EH pads can't handle each other's exceptions
declare void @may_throw()
declare i32 @personality(...)
define void @circle_from_nested_cleanup() personality ptr @personality {
  ret void
one:
  %c = cleanuppad within none []
  unreachable
inner:
  %d = cleanuppad within %c []
  invoke void @may_throw() [ "funclet"(token %d) ] to label %normal unwind label %two
two:
  %s = catchswitch within none [label %handler] unwind label %three
handler:
  %h = catchpad within %s []
  unreachable
three:
  %e = cleanuppad within none []
  cleanupret from %e unwind label %one
normal:
  ret void
}
;;; EH pad jumps through a cycle of pads
declare i32 @personality(...)
define void @catch_in_itself() personality ptr @personality {
  ret void
switch:
  %s = catchswitch within %c [label %handler] unwind label %cleanup
handler:
  %c = catchpad within %s []
  unreachable
cleanup:
  %d = cleanuppad within none []
  cleanupret from %d unwind to caller
}
;;; A cleanupret must exit its cleanup
declare i32 @personality(...)
define void @return_from_none() personality ptr @personality {
  ret void
cleanup:
  %c = cleanuppad within none []
  cleanupret from none unwind label %cleanup
}
;;; FuncletPadInst must not be nested within itself
declare i32 @personality(...)
define void @cleanups_in_each_other() personality ptr @personality {
  ret void
one:
  %c = cleanuppad within %d []
  unreachable
two:
  %d = cleanuppad within %c []
  unreachable
}
