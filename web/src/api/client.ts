// The one way to the service. Everything that goes wrong is an ApiError.

export type Code =
  | "invalid" | "unauthorized" | "forbidden" | "not_found" | "conflict" | "too_many_requests" | "unavailable" | "internal"
  | "unreadable" | "method_not_allowed" | "too_large" | "unsupported_type" | "password_required" | "totp_required"
  | "offline"; // the service could not be reached

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: Code,
    message: string,
    readonly fields: Record<string, string[]> = {},
    readonly retryAfter = 0, // seconds
  ) {
    super(message);
  }
  /** What is wrong with a field, as a sentence, or undefined. */
  field(name: string): string | undefined {
    const said = this.fields[name]?.[0];
    return said && said[0]!.toUpperCase() + said.slice(1) + ".";
  }
}

export interface Options {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  accept?: string;
  signal?: AbortSignal;
}

/** The data of an answer: what stands under "data". */
export async function get<T>(path: string, o?: Options): Promise<T> {
  return (await json<{ data: T }>("GET", path, o)).data;
}
export async function post<T>(path: string, body?: unknown, o?: Options): Promise<T> {
  return (await json<{ data: T }>("POST", path, { ...o, body })).data;
}
export async function put<T>(path: string, body?: unknown, o?: Options): Promise<T> {
  return (await json<{ data: T }>("PUT", path, { ...o, body })).data;
}
export async function del<T = unknown>(path: string, o?: Options): Promise<T> {
  return (await json<{ data: T }>("DELETE", path, o)).data;
}

/** The whole body of an answer: for lists with pages, which have links and meta beside data. */
export async function json<T>(method: string, path: string, o: Options = {}): Promise<T> {
  const answer = await send(method, path, o);
  try {
    return (await answer.json()) as T;
  } catch (cause) {
    throw aborted(cause) ?? new ApiError(answer.status, "unreadable", "");
  }
}

/** A file, as for an export. */
export async function file(method: string, path: string, o: Options = {}): Promise<Blob> {
  return (await send(method, path, o)).blob();
}

/** The entity tag of a file beside the interface; null if there is none. */
export async function entityTag(path: string, signal?: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(path, { method: "HEAD", signal: signal ?? null });
    return answer.ok ? answer.headers.get("ETag") : null;
  } catch (cause) {
    throw aborted(cause) ?? new ApiError(0, "offline", "");
  }
}

async function send(method: string, path: string, o: Options): Promise<Response> {
  const headers: Record<string, string> = { Accept: o.accept ?? "application/json" };
  if (o.body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch("/api/v1" + path + queryString(o.query), {
      method, headers, body: o.body === undefined ? null : JSON.stringify(o.body), signal: o.signal ?? null,
    });
  } catch (cause) {
    throw aborted(cause) ?? new ApiError(0, "offline", "");
  }
  if (!answer.ok) throw await problem(answer);
  return answer;
}

function queryString(query: Options["query"] = {}): string {
  const set = Object.entries(query).filter(([, v]) => v !== undefined && v !== "").map(([k, v]) => [k, String(v)]);
  return set.length > 0 ? "?" + new URLSearchParams(set) : "";
}

// An aborted request is nobody's error; whoever aborted it looks for this.
function aborted(cause: unknown): unknown {
  return cause instanceof DOMException && cause.name === "AbortError" ? cause : undefined;
}

export const isAbort = (e: unknown): boolean => aborted(e) !== undefined;

async function problem(answer: Response): Promise<ApiError> {
  const wait = Number(answer.headers.get("Retry-After")) || 0;
  const body = await answer.json().catch(() => ({}));
  return new ApiError(answer.status, body.code ?? "internal", body.message ?? "", body.errors ?? {}, wait);
}
