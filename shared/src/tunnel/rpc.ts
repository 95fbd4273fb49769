/** JSON-RPC 2.0 envelopes: parses a text into one of five kinds. A malformed message is a value, not an exception. */
import { nestsDeeper } from "../kernel/index.ts";
import { storableJson } from "../model/index.ts";
import { MAX_MESSAGE_DEPTH } from "./version.ts";

export interface RpcError {
  readonly code: number;
  readonly message: string;
}

export type RpcMessage =
  | { readonly kind: "request"; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: RpcError }
  | { readonly kind: "malformed"; readonly why: string };

/** Params or a result that is already JSON, sent unchanged. Its creator must have built or parsed the content. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const RPC_ERRORS = {
  unknownMethod: { code: -32601, message: "unknown method" },
  invalidParams: { code: -32602, message: "invalid params" },
  internal: { code: -32603, message: "internal error" },
  overloaded: { code: -32000, message: "overloaded" },
  /** The cloud cannot store anything at the moment: send it again after a while. */
  unavailable: { code: -32001, message: "unavailable" },
} as const;

/** Parses a message, with U+FFFD in place of unstorable characters: a hub of an older release would send the same text for ever. */
export function parseMessage(text: string): RpcMessage {
  if (nestsDeeper(text, MAX_MESSAGE_DEPTH)) return { kind: "malformed", why: "nested too deep" };
  let parsed: unknown;
  try {
    parsed = JSON.parse(storableJson(text));
  } catch {
    return { kind: "malformed", why: "not JSON" };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return { kind: "malformed", why: "not an object" };
  }
  const { jsonrpc, id, method, params, result, error } = parsed as Record<string, unknown>;
  if (jsonrpc !== "2.0") return { kind: "malformed", why: "not JSON-RPC 2.0" };
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, params };
    return isRpcId(id) ? { kind: "request", id, method, params } : { kind: "malformed", why: "bad id" };
  }
  if (!isRpcId(id)) return { kind: "malformed", why: "neither request nor answer" };
  if (result !== undefined) return { kind: "result", id, result };
  if (isRpcError(error)) return { kind: "error", id, error: { code: error.code, message: error.message } };
  return { kind: "malformed", why: "neither request nor answer" };
}

export function requestText(id: number, method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${jsonOf(params ?? {})}}`;
}

export function notificationText(method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params ?? {})}}`;
}

export function resultText(id: number, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${jsonOf(result ?? null)}}`;
}

export function errorText(id: number, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

function jsonOf(given: unknown): string {
  return given instanceof JsonText ? given.text : JSON.stringify(given);
}

function isRpcId(id: unknown): id is number {
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 0;
}

function isRpcError(error: unknown): error is RpcError {
  if (typeof error !== "object" || error === null) return false;
  const { code, message } = error as Record<string, unknown>;
  return typeof code === "number" && typeof message === "string";
}
