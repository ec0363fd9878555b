"""Small files, written by hand: what llc would not write, and still reads."""

from __future__ import annotations

COMMENTED = """\
# A file with comments.
--- |
  define void @f(ptr %p) !pcsections !0 {
    store i32 1, ptr %p, align 4, !pcsections !0
    ret void
  }

  !0 = !{!"s0", !1}
  !1 = !{i32 7, i1 true, ptr null}
  !2 = distinct !{!"s1!C", !1, !"s2"}
  !3 = !{!"s0", double 1.0}
...
---
name:   f   # its name
alignment: 16
tracksRegLiveness: true
registers:
  - { id: 0, class: gr64 }
frameInfo: { stackSize: 8, stackProtector: 'it''s "here"' }
callSites:
  - { bb: 0, offset: 3, fwdArgRegs: [ ] }
  - { bb: 1, offset: 1,
      fwdArgRegs: [ ] }
liveins:
  - { reg: '$rdi', virtual-reg: '%0' }
body: |
  ; before the first block

  bb.0:          ; the first block
    successors: %bb.1(50)
    liveins: $rdi

    ; the first instruction
    %0:gr64   =  COPY $rdi    ; odd blanks

    MOV32mi %0, 1, $noreg, 0, $noreg, 1, pcsections !0 :: (store (s32) into %ir.p)
    BUNDLE implicit-def $rax {
      $rax = MOV64ri 1
      $rax = MOV64ri 2      ; inside
    }
  bb.1 (landing-pad, align 16):
    NOOP
    CALL64pcrel32 @f
    RET64
    ; behind the last
"""

LINES = [line.split(" ;")[0].split(" #")[0] for line in COMMENTED.splitlines()]
