"""Attributes by name, as functions and calls of the builder accept them."""

from bitcodec.ir.attribute_spelling import (
    AttributeLike,
    AttributeValueLike,
    attribute,
    attribute_list,
    attribute_set,
)

__all__ = ["AttributeLike", "AttributeValueLike", "attribute", "attribute_list", "attribute_set"]
