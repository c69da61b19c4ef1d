/** Sizes that the program on the other side enforces; keeping to them here gives the gem an error instead of an end. */

export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
export const MAX_OUTSTANDING = 64;
export const MAX_OUTSTANDING_BYTES = 48 * 1024 * 1024;
export const MAX_RESULT_CHARACTERS = 1_048_576;
export const MAX_RESULT_DEPTH = 200;
export const MAX_ERROR_CHARACTERS = 4_000;
export const MAX_LOG_CHARACTERS = 4_000;
export const MAX_LOG_LINES = 500;
