/** JSON-RPC 2.0 envelopes: what this end writes is what that end reads, and everything else is malformed. */
import { expect, test } from "vitest";
import { MAX_VALUE_DEPTH } from "../model/index.ts";
import { errorText, JsonText, notificationText, parseMessage, requestText, resultText } from "./rpc.ts";

test("what is written is JSON-RPC 2.0, to the byte", () => {
  expect(requestText(7, "read", { items: [] })).toBe('{"jsonrpc":"2.0","id":7,"method":"read","params":{"items":[]}}');
  expect(notificationText("goaway", { afterMs: 5 })).toBe('{"jsonrpc":"2.0","method":"goaway","params":{"afterMs":5}}');
  expect(requestText(7, "read", new JsonText('{"items":[1.0]}'))).toBe(
    '{"jsonrpc":"2.0","id":7,"method":"read","params":{"items":[1.0]}}',
  );
  expect(resultText(7, new JsonText("[]"))).toBe('{"jsonrpc":"2.0","id":7,"result":[]}');
  expect(resultText(7, null)).toBe('{"jsonrpc":"2.0","id":7,"result":null}');
  expect(errorText(7, { code: -32601, message: "unknown method" })).toBe(
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"unknown method"}}',
  );
});

test("text that no store keeps is replaced before anything reads it, in keys too", () => {
  const params = { records: [{ value: "a\0b" }, { "\ud800": ["🏮\udfee", "\\u0000"] }] };
  expect(parseMessage(requestText(1, "records", params))).toEqual({
    ...{ kind: "request", id: 1, method: "records" },
    params: { records: [{ value: "a\ufffdb" }, { "\ufffd": ["🏮\ufffd", "\\u0000"] }] },
  });
});

test.for([
  [requestText(0, "m", 1), { kind: "request", id: 0, method: "m", params: 1 }],
  [notificationText("m", [1]), { kind: "notification", method: "m", params: [1] }],
  [notificationText("m", undefined), { kind: "notification", method: "m", params: {} }],
  [resultText(3, { a: 1 }), { kind: "result", id: 3, result: { a: 1 } }],
  [resultText(3, undefined), { kind: "result", id: 3, result: null }],
  [errorText(3, { code: 1, message: "no" }), { kind: "error", id: 3, error: { code: 1, message: "no" } }],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":{}}}',
    { kind: "error", id: 1, error: { code: 1, message: "m" } },
  ],
] as const)("%s is read as it was meant", ([text, message]) => {
  expect(parseMessage(text)).toEqual(message);
});

test.for([
  ["", "not JSON"],
  ["{", "not JSON"],
  ["null", "not an object"],
  ["7", "not an object"],
  ['[{"jsonrpc":"2.0","method":"m"}]', "not an object"],
  ["{}", "not JSON-RPC 2.0"],
  ['{"jsonrpc":2,"method":"m"}', "not JSON-RPC 2.0"],
  ['{"jsonrpc":"2.0","method":"m","id":null}', "bad id"],
  ['{"jsonrpc":"2.0","method":"m","id":1.5}', "bad id"],
  ['{"jsonrpc":"2.0","method":"m","id":-1}', "bad id"],
  ['{"jsonrpc":"2.0","method":"m","id":9007199254740993}', "bad id"],
  ['{"jsonrpc":"2.0","method":7,"id":1}', "neither request nor answer"],
  ['{"jsonrpc":"2.0","result":1}', "neither request nor answer"],
  ['{"jsonrpc":"2.0","id":1,"error":"no"}', "neither request nor answer"],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}', "neither request nor answer"],
])("%j is malformed: %s", ([text, why]) => {
  expect(parseMessage(text ?? "")).toEqual({ kind: "malformed", why });
});

test("a message may carry a value as deep as may be, and is not parsed when it is far deeper", () => {
  const carrying = (levels: number) => {
    const value = `${"[".repeat(levels)}${"]".repeat(levels)}`;
    return `{"jsonrpc":"2.0","id":1,"method":"records","params":{"records":[{"kind":"value","value":${value}}]}}`;
  };
  expect(parseMessage(carrying(MAX_VALUE_DEPTH)).kind).toBe("request");
  expect(parseMessage(carrying(100_000))).toEqual({ kind: "malformed", why: "nested too deep" });
});
