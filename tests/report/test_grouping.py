"""Paths of demangled names and of source files."""

from __future__ import annotations

import pytest

from bitcodec.report.grouping import name_path, source_path


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("main", ["main"]),
        ("foo(int)", ["foo"]),
        ("a::b::c(std::string const&) const", ["a", "b", "c"]),
        ("int a::b<int>(int)", ["a", "b<…>"]),
        ("std::vector<a::b, c::d<e>>::push_back(a::b&&)", ["std", "vector<…>", "push_back"]),
        ("std::ostream& std::operator<< <char>(std::ostream&, char)", ["std", "operator<< <char>"]),
        ("bool operator==(A const&, B const&)", ["operator=="]),
        ("A::operator()(int) const", ["A", "operator()"]),
        ("A::operator bool() const", ["A", "operator bool"]),
        ("A::operator->() const", ["A", "operator->"]),
        ("operator new(unsigned long)", ["operator new"]),
        ("(anonymous namespace)::f(int)", ["(anonymous namespace)", "f"]),
        ("non-virtual thunk to B::f()", ["B", "f"]),
        ("main::{lambda(int)#1}::operator()(int) const", ["main", "{lambda(int)#1}", "operator()"]),
        ("decltype(auto) f<int>(int)", ["f<…>"]),
        ("core::fmt::Formatter::write::h0123456789abcdef", ["core", "fmt", "Formatter", "write"]),
        ("<alloc::vec::Vec<T> as core::ops::Drop>::drop", ["alloc", "vec", "Vec<…>", "drop"]),
        ("<&mut T as core::fmt::Debug>::fmt", ["T", "fmt"]),
        ("core::ptr::drop_in_place<alloc::string::String>", ["core", "ptr", "drop_in_place<…>"]),
        ("a::{closure#0}::{closure#1}", ["a", "{closure#0}", "{closure#1}"]),
    ],
)
def test_names(name: str, path: list[str]) -> None:
    assert list(name_path(name)) == path


@pytest.mark.parametrize(
    "name", ["", "::", "<", ">>>>", "((((", "operator", "operator<", "a::", "<<<", "x " * 50, "a::" * 99]
)
def test_odd_names_have_a_path(name: str) -> None:
    path = name_path(name)
    assert path
    assert len(path) <= 12


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("", []),
        ("/a/b/c.c", ["a", "b", "c.c"]),
        ("a/./b//c.c", ["a", "b", "c.c"]),
        ("/a/../b/c.c", ["b", "c.c"]),
        ("../c.c", ["c.c"]),
        ("C:/a/c.c", ["C:", "a", "c.c"]),
    ],
)
def test_source_files(file: str, path: list[str]) -> None:
    assert list(source_path(file)) == path


def test_deep_folders_stay_together() -> None:
    path = source_path("/".join("abcdefghijklmnop"))
    assert len(path) == 12
    assert "/".join(path) == "/".join("abcdefghijklmnop")
