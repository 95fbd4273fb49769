/** The bare hub: echoes what comes through the WebSocket, with `commits` group-committed rows in a row before it does. */
import WebSocket from "ws";
import { GroupCommit } from "./group-commit.ts";

const [url = "", file = "", commits = "0"] = process.argv.slice(2);
const rows = new GroupCommit(file);
const socket = new WebSocket(url, { perMessageDeflate: false });

socket.on("message", (data) => {
  const text = data.toString();
  void (async () => {
    for (let commit = 0; commit < Number(commits); commit++) await rows.add(text);
    socket.send(text);
  })();
});
socket.on("open", () => process.stdout.write("ready\n"));
socket.on("close", () => process.exit(0));
