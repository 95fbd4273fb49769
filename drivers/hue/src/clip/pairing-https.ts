/** What is asked of a bridge before it is paired, over HTTPS. */
import { z } from "zod";
import { type BridgeAddress, bridgeIdOf } from "../bridge/bridge-api.ts";
import { type BridgeFacts, type KeyAnswer, NoBridge, type PairingApi } from "../pairing/pairing-api.ts";
import { HttpsClient, type HttpsClientDeps } from "./https-client.ts";

/** `/api/0/config` says this to everybody. */
const config = z.looseObject({
  bridgeid: z.string().max(64),
  name: z.string().max(128).default("Hue bridge"),
  swversion: z.string().regex(/^\d{1,12}$/),
});

/** One answer for what was asked: a key, or an error by number. */
const keyAnswer = z.tuple([
  z.object({
    success: z.object({ username: z.string().min(1).max(256) }).optional(),
    error: z.object({ type: z.number(), description: z.string().default("") }).optional(),
  }),
]);

/** "Link button not pressed." */
const NOT_PRESSED = 101;

/** @param roots other authorities than the maker's, for tests */
export function pairingByHttps(hubEdgeId: string, roots?: HttpsClientDeps["roots"]): PairingApi {
  return {
    facts: (address, signal) => facts(address, roots, signal),
    askKey: async (address, bridgeId, mustBeSigned) => {
      using client = new HttpsClient({ address, known: { bridgeId }, isPairing: !mustBeSigned, roots });
      return await askKey(client, hubEdgeId);
    },
  };
}

/** Of whatever answers there: nothing is sent that is for the bridge only. */
async function facts(
  address: BridgeAddress,
  roots: HttpsClientDeps["roots"],
  signal: AbortSignal | undefined,
): Promise<BridgeFacts> {
  using client = new HttpsClient({ address, known: "anybody", roots, signal });
  const { json } = await client.json("GET", "/api/0/config", {});
  const parsed = config.safeParse(json);
  const bridgeId = parsed.success ? bridgeIdOf(parsed.data.bridgeid) : undefined;
  if (!parsed.success || bridgeId === undefined) throw new NoBridge();
  return { bridgeId, name: parsed.data.name, software: Number(parsed.data.swversion) };
}

async function askKey(client: HttpsClient, hubEdgeId: string): Promise<KeyAnswer> {
  // The bridge's list of apps shows it: at most 20 characters after the #.
  const devicetype = `porchlight#${hubEdgeId.replaceAll("-", "").slice(-12)}`;
  const { json } = await client.json("POST", "/api", {}, { devicetype, generateclientkey: true });
  const parsed = keyAnswer.safeParse(json);
  const { success, error } = parsed.data?.[0] ?? {};
  if (success) {
    const pinned = client.seen?.identity === "new" ? client.seen.fingerprint : undefined;
    return { kind: "pressed", key: success.username, pinned };
  }
  if (error?.type === NOT_PRESSED) return { kind: "waiting" };
  throw new Error(error ? `${error.description.slice(0, 200)} (error ${error.type})` : "The answer is not understood.");
}
