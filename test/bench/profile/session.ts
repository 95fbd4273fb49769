/**
 * A look into a running program: where its processor time goes while something is done. With `npm run bench -- NAME --profile`
 * programs are started with the inspector of Node.js open on loopback; otherwise nothing of this is there.
 */
import WebSocket from "ws";
import type { Program } from "../../parts/program.ts";
import type { CpuProfile } from "./shares.ts";

/** Whether profiles are wanted. */
export const PROFILES = process.env.PORCHLIGHT_PROFILE === "1";
/** Environment of a program that may be looked into. */
export const INSPECTED: Readonly<Record<string, string>> = PROFILES ? { NODE_OPTIONS: "--inspect=127.0.0.1:0" } : {};

const SAMPLE_US = 500;

/** What a program does while `work` is done. @throws Error when it was not started with {@link INSPECTED} */
export async function profileOf<T>(
  program: Program,
  work: () => Promise<T>,
): Promise<{ profile: CpuProfile; result: T }> {
  const address = /Debugger listening on (ws:\S+)/.exec(program.said)?.[1];
  if (address === undefined) throw new Error("the program's inspector is not open");
  const socket = new WebSocket(address, { maxPayload: 0, perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let lastId = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> => {
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      const hear = (data: WebSocket.RawData) => {
        const told = JSON.parse(data.toString());
        if (told.id !== id) return;
        socket.off("message", hear);
        if (told.error) reject(new Error(`${method}: ${told.error.message}`));
        else resolve(told.result);
      };
      socket.on("message", hear);
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  try {
    await ask("Profiler.enable");
    await ask("Profiler.setSamplingInterval", { interval: SAMPLE_US });
    await ask("Profiler.start");
    const result = await work();
    const { profile } = (await ask("Profiler.stop")) as { profile: CpuProfile };
    return { profile, result };
  } finally {
    socket.terminate();
  }
}
