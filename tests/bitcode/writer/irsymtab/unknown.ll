source_filename = "unknown.c"
target datalayout = "e"

@p = alias i32, inttoptr (i64 5 to ptr)
