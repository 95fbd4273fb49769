/** Lets a Zigbee device join: opens the network, follows joining devices until their interviews end, and closes the network again. */
import { edgeIdOfEui, SetupFailed, type SetupTalk } from "@porchlight/driver-kit";
import { sleep } from "@porchlight/shared/kernel";
import { z } from "zod";
import type { MqttSetup, SetupBroker } from "../device/mqtt-setup.ts";
import type { Payload } from "../device/payload.ts";

/** How long the network is open, s: the maximum that Zigbee allows. */
const OPEN_S = 254;
/** Time limit for the bridge's answer, ms. */
const ANSWER_MS = 10_000;
/** How long the network stays open after a device's interview, ms: a second device may be joining. */
const NEXT_MS = 15_000;

const response = z.object({ status: z.string(), error: z.string().optional() });
const definition = z.object({ vendor: z.string().optional(), model: z.string().optional() }).nullish();
const event = z.object({
  type: z.string(),
  data: z.object({
    ieee_address: z.string(),
    friendly_name: z.string().optional(),
    status: z.string().optional(),
    definition,
  }),
});

/** @param bases the bridges' base topics */
export function zigbeeJoin(bases: readonly string[]): MqttSetup {
  return {
    kind: "zigbee",
    title: "Let a Zigbee device join",
    run: async (talk, broker) => {
      const base = await chosen(bases, talk);
      await openNetwork(base, talk, broker);
      try {
        await followJoins(base, talk, broker);
      } finally {
        // If the network cannot be closed, it closes by itself.
        await broker.publish(permitJoin(base, 0)).catch(() => undefined);
      }
    },
  };
}

async function chosen(bases: readonly string[], talk: SetupTalk): Promise<string> {
  const [only] = bases;
  if (only !== undefined && bases.length === 1) return only;
  return talk.ask({ ask: "choice", text: "Which Zigbee network must the device join?", choices: bases });
}

/** @throws SetupFailed when the bridge refuses, or does not answer */
async function openNetwork(base: string, talk: SetupTalk, { clock, publish, listen }: SetupBroker): Promise<void> {
  const answered = Promise.withResolvers<Payload>();
  const topic = `${base}/bridge/response/permit_join`;
  talk.tell("Opening the Zigbee network.", ANSWER_MS / 1000);
  using _answers = await listen([topic], ({ payload, retained }) => {
    if (!retained) answered.resolve(payload);
  });
  await publish(permitJoin(base, OPEN_S));
  const enough = new AbortController();
  const stop = () => enough.abort(talk.signal.reason);
  talk.signal.addEventListener("abort", stop, { once: true });
  try {
    const late = sleep(clock, "answer of a Zigbee bridge", ANSWER_MS, enough.signal);
    const payload = await Promise.race([answered.promise, late.then(() => undefined)]);
    const { data } = response.safeParse(payload?.json);
    if (!data) throw new SetupFailed(`Zigbee2MQTT does not answer on ${topic}: check that it is running.`);
    if (data.status !== "ok") throw new SetupFailed(`Zigbee2MQTT rejects the request: ${data.error ?? data.status}`);
  } finally {
    talk.signal.removeEventListener("abort", stop);
    enough.abort();
  }
}

/** Settles when the time is over, or when all joined devices are known and no more join. */
async function followJoins(base: string, talk: SetupTalk, { clock, listen }: SetupBroker): Promise<void> {
  const asking = new Set<string>();
  const ending = new AbortController();
  const stop = () => ending.abort();
  talk.signal.addEventListener("abort", stop, { once: true });
  let settled = clock.timer("end of an open Zigbee network", OPEN_S * 1000, stop);
  const wait = (ms: number) => {
    settled.cancel();
    settled = clock.timer("end of an open Zigbee network", ms, stop);
  };
  talk.tell("The Zigbee network is open. Put the device into pairing mode; see its instructions.", OPEN_S);
  const take = (payload: Payload) => {
    const { data: reported } = event.safeParse(payload.json);
    const edgeId = reported && edgeIdOfEui(reported.data.ieee_address);
    if (!reported || edgeId === undefined) return;
    const { friendly_name, ieee_address, status } = reported.data;
    const name = nameOf(reported.data.definition) ?? friendly_name ?? ieee_address;
    if (reported.type === "device_joined" || status === "started") {
      asking.add(edgeId);
      talk.found({ edgeId, name });
      talk.tell(`${name} has joined. The bridge now asks it what it is. Keep it near and awake.`, OPEN_S);
      wait(OPEN_S * 1000);
    } else if (reported.type === "device_interview" && (status === "successful" || status === "failed")) {
      asking.delete(edgeId);
      if (status === "successful") talk.found({ edgeId, name });
      talk.tell(
        status === "successful"
          ? `${name} is ready. The network stays open for a moment for another device.`
          : `${name} did not say what it is. Keep it near, and let it join again.`,
      );
      if (asking.size === 0) wait(status === "successful" ? NEXT_MS : OPEN_S * 1000);
    }
  };
  try {
    using _events = await listen([`${base}/bridge/event`], ({ payload, retained }) => {
      if (!retained) take(payload);
    });
    if (!ending.signal.aborted)
      await new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve(), { once: true }));
  } finally {
    settled.cancel();
    talk.signal.removeEventListener("abort", stop);
  }
}

function permitJoin(base: string, seconds: number) {
  return { topic: `${base}/bridge/request/permit_join`, payload: JSON.stringify({ time: seconds }) };
}

function nameOf(given: z.infer<typeof definition>): string | undefined {
  const words = [given?.vendor, given?.model].filter((word) => word !== undefined && word !== "");
  return words.length > 0 ? words.join(" ") : undefined;
}
