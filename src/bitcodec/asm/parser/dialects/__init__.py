"""Text of older LLVMs: what they wrote otherwise than LLVM 22, and how it becomes what LLVM 22 has.

Each old form is accepted where LLVM 22 would refuse it.  Rules: LLVM's release notes 3.1 to 21;
docs/reference/upgrades.md.
"""
