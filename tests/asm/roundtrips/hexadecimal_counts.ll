@a = addrspace(u0x3) global [u0x3 x i8] zeroinitializer, align u0x8
@b = global <u0x2 x i8> zeroinitializer

declare nofpclass(u0x3) float @f()
