/** A worker for tests: answers each connection with a word. Asked to, it looks at nothing until a file is there, then stops listening, and goes on living. */
import { existsSync } from "node:fs";
import { createServer } from "node:net";

const server = createServer((socket) => socket.end("taken")).listen(0, "127.0.0.1");
process.on("message", (path: string) => {
  process.send?.("resting", undefined, undefined, () => {
    const nothing = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(path)) Atomics.wait(nothing, 0, 0, 5);
    server.close();
  });
});
