/** Who takes part in a run of events, made through the API: ecosystems with a reader each, homes with hubs, and webhooks of one home each. */
import { Api } from "../../parts/api.ts";
import type { EventsShape } from "./plan.ts";

export interface Homes {
  /** Of the servers that read, one an ecosystem. */
  readonly readerTokens: readonly string[];
  readonly hubTokens: readonly string[];
  /**
   * Makes the webhooks. Gives how many events each will want.
   * @param receivers where webhook N is sent to: `http://…/N`
   */
  makeWebhooks(receivers: string): Promise<readonly number[]>;
}

/** Each of them means all that hubs report; that they read differently is what patterns are for. */
const PATTERNS = [["property.changed"], ["property.*", "hub.*"], ["*"]] as const;

interface NewHome {
  readonly ecosystemId: string;
  readonly environmentId: string;
  hubs: number;
}

/** @param url of a cloud that nobody uses yet */
export async function settle(url: string, shape: EventsShape): Promise<Homes> {
  const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
  const nobody = new Api(url);
  await nobody.good("POST", "/api/accounts", login);
  const api = nobody.as((await nobody.good<{ token: string }>("POST", "/api/accounts/login", login)).token);
  const made = async (path: string, body: object) => (await api.good<{ id: string }>("POST", path, body)).id;
  const readerTokens: string[] = [];
  const hubTokens: string[] = [];
  const homes: NewHome[] = [];
  for (let at = 0; at < shape.ecosystems; at++) {
    const ecosystemId = await made("/api/ecosystems", {});
    const serverId = await made("/api/servers", { ecosystemId });
    readerTokens.push((await api.good<{ token: string }>("POST", `/api/servers/${serverId}/tokens`)).token);
    const own: NewHome[] = [];
    for (let home = 0; home < homesOf(shape, at); home++)
      own.push({ ecosystemId, environmentId: await made("/api/environments", { ecosystemId }), hubs: 0 });
    for (let hub = 0; hub < shape.hubsEach; hub++) {
      const home = own[hub % own.length];
      if (!home) throw new Error("an ecosystem without a home");
      home.hubs += 1;
      const clientId = await made("/api/clients", { environmentId: home.environmentId });
      hubTokens.push((await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`)).token);
    }
    homes.push(...own);
  }
  const makeWebhooks = async (receivers: string) => {
    for (const [at, { environmentId }] of homes.entries()) {
      const events = PATTERNS[at % PATTERNS.length];
      await made("/api/webhooks", { url: `${receivers}/${at}`, environmentId, events });
    }
    return homes.map(({ hubs }) => hubs * shape.reportsPerHub * shape.seconds);
  };
  return { readerTokens, hubTokens, makeWebhooks };
}

/** As many as there must be webhooks, spread evenly: each home has one. */
function homesOf({ webhooks, ecosystems }: EventsShape, at: number): number {
  return Math.floor((webhooks * (at + 1)) / ecosystems) - Math.floor((webhooks * at) / ecosystems);
}
