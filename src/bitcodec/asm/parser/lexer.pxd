# Attributes and C signatures of `lexer.py`.

cimport cython

cimport bitcodec.host.native as native

cdef int ATTRIBUTE_GROUP
cdef int COMDAT_NAME
cdef int DOTS
cdef int END
cdef int EXCLAIM
cdef int FLOAT
cdef int GLOBAL_ID
cdef int GLOBAL_NAME
cdef int HASH
cdef int HEX_FLOAT
cdef int HEX_INTEGER
cdef int INTEGER
cdef int INTEGER_TYPE
cdef int LABEL
cdef int LABEL_ID
cdef int LOCAL_ID
cdef int LOCAL_NAME
cdef int METADATA_NAME
cdef int STRING
cdef int SUMMARY_ID
cdef int UNKNOWN
cdef int WORD

cdef int _IS_WORD, _IS_LABEL, _IS_DIGIT, _IS_METADATA, _IS_HEX
cdef int _SPACE, _LETTER, _SIGIL, _NUMBER, _ONE, _QUOTE, _COMMENT, _NONE
cdef bytes _CLASSES, _BEGINNINGS, _ONES
cdef const unsigned char *_CLASS_OF
cdef const unsigned char *_BEGINNING_OF
cdef const unsigned char *_ONE_OF
cdef int _PERCENT, _AT, _EXCLAIM, _HASH, _DOLLAR, _CARET
cdef int _QUOTATION, _COLON, _POINT, _SEMICOLON, _SLASH, _STAR, _PLUS, _MINUS, _ZERO
cdef int _LOWER_I, _LOWER_X, _LOWER_E, _UPPER_E, _LOWER_C
cdef int _MAX_ID_DIGITS, _FEW_DIGITS, _MAX_WIDTH
cdef Py_ssize_t _KEPT, _KEPT_MASK, _LONGEST_KEPT


@cython.final
cdef class Lexer:
    cdef readonly bytes data
    cdef const unsigned char *chars
    cdef list kept
    cdef public Py_ssize_t length
    cdef public object name
    cdef public int kind
    cdef public Py_ssize_t start
    cdef public Py_ssize_t end
    cdef public bint fields
    cdef public object problem

    @cython.locals(chars="const unsigned char *", at=Py_ssize_t, first=int, beginning=int, kind=int)
    cpdef int advance(self) except -1
    @cython.locals(chars="const unsigned char *", end=Py_ssize_t)
    cdef Py_ssize_t _after_comment(self, Py_ssize_t at) except -2
    @cython.locals(chars="const unsigned char *", start=Py_ssize_t, word_end=Py_ssize_t)
    cdef int _word(self, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *", at=Py_ssize_t, width=long)
    cdef int _integer_type(self, Py_ssize_t start) except -1
    @cython.locals(chars="const unsigned char *", following=int)
    cdef int _sigil(self, int first, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *", following=int, end=Py_ssize_t)
    cdef int _name(self, Py_ssize_t at, int named, int numbered) except -1
    @cython.locals(chars="const unsigned char *", start=Py_ssize_t)
    cdef int _id(self, Py_ssize_t at, int kind) except -1
    @cython.locals(chars="const unsigned char *", start=Py_ssize_t, is_digit=int)
    cdef int _number(self, int first, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *")
    cdef int _dots(self, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *", start=Py_ssize_t)
    cdef int _positive(self, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *", exponent=Py_ssize_t)
    cdef int _fraction(self, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *", at=Py_ssize_t, first=Py_ssize_t)
    cdef int _hexadecimal(self, Py_ssize_t start) except -1
    @cython.locals(chars="const unsigned char *", end=Py_ssize_t)
    cdef int _string(self, Py_ssize_t at) except -1
    @cython.locals(chars="const unsigned char *")
    cdef bint _ends_label(self, Py_ssize_t at) except -1
    cdef int _none(self, Py_ssize_t at) except -1
    cdef int _refuse(self, message, Py_ssize_t at, Py_ssize_t end) except -1
    cpdef bytes text(self)
    @cython.locals(chars="const unsigned char *", other="const unsigned char *", count=Py_ssize_t, place=Py_ssize_t, index=Py_ssize_t, known=bytes)
    cpdef bytes text_between(self, Py_ssize_t start, Py_ssize_t end)
    @cython.locals(chars="const unsigned char *", other="const unsigned char *", start=Py_ssize_t, count=Py_ssize_t, index=Py_ssize_t)
    cpdef bint is_text(self, bytes text) except -1
    @cython.locals(chars="const unsigned char *", kind=int, start=Py_ssize_t, end=Py_ssize_t)
    cpdef bytes content(self)
    cpdef Py_ssize_t index(self) except -1
    @cython.locals(chars="const unsigned char *", value=Py_ssize_t)
    cdef Py_ssize_t _decimal(self, Py_ssize_t at, Py_ssize_t end) except -1
    @cython.locals(start=Py_ssize_t, end=Py_ssize_t)
    cpdef Py_ssize_t short_number(self) except -2
    cpdef bint is_digit_next(self) except -1
    @cython.locals(kind=int, chars="const unsigned char *", at=Py_ssize_t, end=Py_ssize_t)
    cpdef object number(self)
