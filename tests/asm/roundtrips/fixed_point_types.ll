!named = !{!0, !1, !2, !3, !4,!5,!6}
!0 = !DIFixedPointType(name: "third", size: 16, encoding: DW_ATE_unsigned_fixed, kind: Rational, numerator: 200, denominator: 1000)
!1 = !DIFixedPointType(name: "third1", size: 16, encoding: DW_ATE_signed_fixed, kind: Rational, numerator: 200, denominator: 1000)
!2 = !DIFixedPointType(name: "third2", size: 16, encoding: DW_ATE_signed_fixed, kind: Rational, numerator: -5, denominator: 12345678901234567890123456789)
!3 = !DIFixedPointType(name: "third3", size: 16, encoding: DW_ATE_unsigned_fixed, kind: Rational, numerator: -5, denominator: 12345678901234567890123456789)
!4 = !DIFixedPointType(name: "third3", size: 16, encoding: DW_ATE_unsigned_fixed, kind: Binary, factor: -5)
!5 = !DIFixedPointType(name: "third3", size: 16, encoding: DW_ATE_signed_fixed, kind: Rational, numerator: u0x00FF, denominator: s0x80)
!6 = !DIFixedPointType(name: "third6", size: 16, encoding: DW_ATE_signed_fixed, kind: Rational)
