/** The front of the API at home: its own entry so that a hub that does not serve it loads none of it. */
import { type Clock, IdMaker, type Log, type Random } from "@porchlight/shared/kernel";
import type { Commands } from "../commands/index.ts";
import type { AskDrivers } from "../drivers/index.ts";
import type { State } from "../state/index.ts";
import type { HomeRoute } from "./home-call.ts";
import { HomeServer } from "./home-server.ts";
import { HomeStreams } from "./home-streams.ts";
import { homeRoutes } from "./routes/home-routes.ts";
import { HomeView } from "./routes/home-view.ts";
import { HomeReferences, HomeScenes } from "./routes/references.ts";
import { HomePages, KeyedCalls } from "./routes/scene-routes.ts";
import { SharedReads } from "./routes/shared-reads.ts";
import { HomeWrites } from "./routes/write-property.ts";
import { HomeTokens } from "./tokens.ts";

export type { HomeServer } from "./home-server.ts";
export type { HomeTokens } from "./tokens.ts";

export interface HomeApiDeps {
  readonly random: Random;
  readonly log: Log;
  readonly state: State;
  readonly commands: Pick<Commands, "command" | "read">;
  readonly askDrivers: AskDrivers;
  /** The hub's own edgeId. */
  readonly edgeId: string;
  /** Whether a device is live on a link. */
  readonly isLive: (edgeId: string) => boolean;
  /** Whether the hub may control devices: not while another agent with its identity is online. */
  readonly mayTouch: () => boolean;
  /** Seals continuation tokens: constant over restarts of the hub, and known to the hub only. */
  readonly pageKey: Uint8Array;
}

/** The address of the server; port 0 is any free one. */
export interface HomeAddress {
  readonly host: string;
  readonly port: number;
}

/** Serves the API at home. @throws SystemError when the address cannot be used */
export function serveAtHome(
  deps: HomeApiDeps & {
    /** Address of the service, whose pages explain errors. */
    readonly publicUrl: string;
  },
  { host, port }: HomeAddress,
): Promise<HomeServer> {
  const { random, log, state, publicUrl } = deps;
  const tokens = homeTokens({ random, state });
  const routes = homeApi(deps);
  const requestId = requestIds(random);
  return HomeServer.start({ clock: state.time, log, tokens, routes, requestId, publicUrl }, host, port);
}

/** The routes of the API at home. */
export function homeApi(deps: HomeApiDeps): HomeRoute[] {
  const { random, log, state, commands, edgeId, isLive, mayTouch } = deps;
  const clock = state.time;
  const view = new HomeView({ state, edgeId, isLive });
  const ids = new IdMaker(clock, random);
  const scenes = new HomeScenes(state);
  const writes = new HomeWrites({ clock, ids, log, state, view, commands, mayTouch });
  const reads = { clock, view, reads: new SharedReads({ clock, commands, mayTouch }) };
  return homeRoutes({
    state,
    view,
    references: new HomeReferences({ state, view, scenes }),
    pages: new HomePages(deps.pageKey),
    reads,
    streams: new HomeStreams({ clock, state, items: () => view.known() }),
    writes,
    scenes,
    calls: { ids, log, view, writes, keyed: new KeyedCalls() },
    askDrivers: deps.askDrivers,
    mayTouch,
  });
}

/** The tokens of the API at home; they can be created while it is not served. */
export function homeTokens({ random, state }: Pick<HomeApiDeps, "random" | "state">): HomeTokens {
  const clock: Clock = state.time;
  return new HomeTokens({ clock, random, ids: new IdMaker(clock, random), state });
}

/** Makes IDs of requests: a counter after a random prefix of the process. */
function requestIds(random: Random): () => string {
  const word = Buffer.from(random.bytes(6)).toString("hex");
  let count = 0;
  return () => `${word}-${(++count).toString(36)}`;
}
