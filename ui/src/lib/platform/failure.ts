import type { ApiError } from '$lib/api/generated/ApiError';
import type { ErrorCode } from '$lib/api/generated/ErrorCode';

/** A refusal or a failure of a command, with its code. The sentence is made where it is shown. */
export class ApiFailure extends Error implements ApiError {
  readonly error: ErrorCode;

  constructor(error: ErrorCode) {
    super(error.code);
    this.name = 'ApiFailure';
    this.error = error;
  }
}

/** Whatever was thrown, as a code. What can't be read is said to be unreadable, never guessed. */
export function toFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown;
  const read = typeof thrown === 'string' ? parse(thrown) : thrown;
  if (isApiError(read)) return new ApiFailure(read.error);
  return new ApiFailure({ code: 'unreadable_answer' });
}

/** JSON, or nothing. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function isApiError(value: unknown): value is ApiError {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const error = value.error;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
