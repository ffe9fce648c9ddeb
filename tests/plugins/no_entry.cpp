// A shared library of something else.
extern "C" int unrelated_function() { return 1; }
