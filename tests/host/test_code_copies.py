"""Copies of functions behave as the functions do, and are not made of compiled ones."""

from __future__ import annotations

from bitcodec.host.code_copies import copy_to_subclasses, rename_attributes


class Base:
    __slots__ = ("_value", "value")

    def begin(self, value: int) -> None:
        self.value = value


class Middle(Base):
    __slots__ = ()


class Last(Middle):
    __slots__ = ()


def test_each_class_below_has_code_of_its_own() -> None:
    copy_to_subclasses(Base, "begin")
    assert len({id(kind.begin.__code__) for kind in (Base, Middle, Last)}) == 3
    made = Last()
    made.begin(4)
    assert made.value == 4


def test_functions_of_c_stay() -> None:
    class Words(list[str]):
        pass

    copy_to_subclasses(list, "append")
    rename_attributes(list, "append", {})
    assert "append" not in vars(Words)
    assert Words.append is list.append


def test_attributes_are_renamed() -> None:
    class Other(Base):
        __slots__ = ()

        def begin(self, value: int) -> None:
            self.value = value

    rename_attributes(Other, "begin", {"value": "_value"})
    made = Other()
    made.begin(4)
    assert made._value == 4
    assert not hasattr(made, "value")
