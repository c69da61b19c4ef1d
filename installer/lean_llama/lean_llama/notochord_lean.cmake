# llama-cpp-python forces llama.cpp's `common` library on (half of the build), though Python never loads it.
set(LLAMA_BUILD_COMMON OFF)
