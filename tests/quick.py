"""The edit-test loop, `-m quick`: all tests but those that take long for what they prove about an edit."""

from __future__ import annotations

SLOW_KINDS = ("_live", "corpus", "hostile")
"""Parts of names: what LLVM's tools are run for, what goes through all modules, and large or mutated input."""
SLOW = frozenset(
    """
    analysis/test_dominators.py
    asm/parser/dialects/test_release_notes.py
    asm/parser/test_debug_info.py
    asm/parser/test_summary.py
    asm/test_forms.py
    asm/test_proportion.py
    bitcode/downgrade/device/test_device.py
    bitcode/downgrade/test_downgrading.py
    bitcode/downgrade/test_intrinsic_pairs.py
    bitcode/downgrade/test_nvvm.py
    bitcode/downgrade/test_nvvm_assembly.py
    bitcode/downgrade/test_nvvm_ptx.py
    bitcode/editing/test_unusual_forms.py
    bitcode/test_batches.py
    bitcode/test_deep.py
    bitcode/test_field_bounds.py
    bitcode/test_interrupts.py
    bitcode/test_laziness.py
    bitcode/test_many_modules.py
    bitcode/test_metadata.py
    bitcode/test_module_hash.py
    bitcode/test_mutations.py
    bitcode/test_newer.py
    bitcode/test_old_programs.py
    bitcode/test_proportion.py
    bitcode/test_structure.py
    bitcode/test_summaries.py
    bitcode/test_threads.py
    bitcode/writer/test_pairing.py
    bitcode/writer/test_proving.py
    bitstream/test_bitwriter.py
    bitstream/test_both_forms.py
    bitstream/test_cursor.py
    bitstream/test_draft_fidelity.py
    bitstream/test_dump.py
    bitstream/test_mutations.py
    bitstream/test_reader.py
    bitstream/test_rows.py
    bitstream/test_walk.py
    bitstream/test_writer.py
    builder/test_random.py
    cli/test_completion.py
    cli/test_deep.py
    cli/test_diff.py
    cli/test_dis.py
    cli/test_examples.py
    cli/test_flags.py
    cli/test_ignored_debug_info.py
    cli/test_imports.py
    cli/test_info.py
    cli/test_json_documents.py
    cli/test_known_inputs.py
    cli/test_nm.py
    cli/test_outcomes.py
    cli/test_paths.py
    cli/test_pcsections.py
    cli/test_pcsections_audit.py
    cli/test_progress.py
    cli/test_report.py
    cli/test_safety.py
    cli/test_strip.py
    cli/test_table.py
    cli/test_termination.py
    cli/test_text.py
    containers/test_other_files.py
    diff/test_alignment.py
    diff/test_edits.py
    doctor/test_contradictions.py
    doctor/test_diagnosing.py
    doctor/test_goldens.py
    doctor/test_profiles.py
    flags/test_surveying.py
    ir/test_assignments.py
    ir/test_data_layout.py
    ir/test_floating_point.py
    ir/test_folding.py
    ir/test_long_blocks.py
    ir/test_long_use_lists.py
    ir/test_model_properties.py
    ir/test_native.py
    ir/test_order_of_users.py
    ir/test_pcsections.py
    ir/test_type_spelling.py
    linker/test_adding.py
    linker/test_adding_blocks.py
    linker/test_comdats.py
    linker/test_debug_types.py
    linker/test_linking.py
    linker/test_record_bodies.py
    linker/test_symbols.py
    lint/test_reproductions.py
    mir/test_goldens.py
    pcsections/test_audit_comparison.py
    pcsections/test_audit_machine_ir.py
    pcsections/test_audit_objects.py
    pcsections/test_checking.py
    pcsections/test_constant_text.py
    pcsections/test_decoding.py
    pcsections/test_encoding.py
    pcsections/test_encoding_goldens.py
    pcsections/test_forms.py
    symbols/test_symbols.py
    test_browser_page.py
    test_ci_definitions.py
    test_circles.py
    test_collection.py
    test_docs.py
    test_docstrings.py
    test_entry_points.py
    test_named_tuple.py
    test_shipped.py
    test_wording.py
    transforms/atomic_expand/test_amdgpu.py
    transforms/atomic_expand/test_expansion.py
    transforms/atomic_expand/test_goldens.py
    transforms/atomic_expand/test_stamping.py
    transforms/test_debug_info.py
    transforms/test_rewriting_goldens.py
    upgrade/test_calls.py
    upgrade/test_x86.py
    verifier/test_broken.py
    verifier/test_messages.py
    verifier/test_models.py
    verifier/test_proportion.py
    verifier/test_shapes.py
    """.split()  # noqa: SIM905 - a list with quotes around each name is harder to read
)
"""Files of more than 0.4 seconds of processor time; `--durations` prints which others have become so."""


def is_quick(place: str) -> bool:
    """Return whether the tests of a file, named from `tests` on, are in the loop."""
    return place not in SLOW and not any(kind in place for kind in SLOW_KINDS)
