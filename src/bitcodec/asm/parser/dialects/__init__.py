"""Text of older LLVMs: forms that differ from LLVM 22, and their upgrade.

Each old form is accepted where LLVM 22 would refuse it.  Rules: LLVM's release notes 3.1 to 21;
docs/reference/upgrades.md.
"""
