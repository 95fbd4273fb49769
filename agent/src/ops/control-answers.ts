/** The answers of a running agent to other commands on the same hub: each request with the schema of its parameters. */

import { isNamed } from "@porchlight/shared/kernel";
import { type DriverAnswer, type DriverQuestion, driverQuestion, isEdgeId } from "@porchlight/shared/model";
import { z } from "zod";
import { type Answers, AskRefused } from "./control-socket.ts";
import type { AgentStatus, PairingSummary } from "./status-schema.ts";

/** The progress of releasing devices: each that `mustBeReset` with its name, where it is known. */
export const releaseSummary = z.object({
  isOver: z.boolean(),
  text: z.string(),
  bound: z.int(),
  released: z.int(),
  mustBeReset: z.array(z.object({ edgeId: z.string(), name: z.string().optional() })),
});
export type ReleaseSummary = z.output<typeof releaseSummary>;

/** The operations that the agent offers to a user at the hub. */
export interface AtTheHub {
  status(): AgentStatus;
  /** Reports a device to the cloud again; false when the hub does not know it. */
  addDevice(edgeId: string): Promise<boolean>;
  /** Makes a device show itself, or stop. Returns the reason of a failure. */
  identify(edgeId: string, active: boolean): Promise<string | undefined>;
  /** Shows a pairing code; undefined when the hub is paired. @param again pairs a paired hub too */
  pair(again: boolean): PairingSummary | undefined;
  /** Releases the devices that are bound to this hub, and returns the progress. @param isForced ends it */
  release(isForced: boolean): Omit<ReleaseSummary, "mustBeReset"> & { readonly mustBeReset: readonly string[] };
  /** Leaves the owner; returns whether the cloud has revoked the token. @throws SystemError */
  unpair(): Promise<{ readonly revoked: boolean }>;
  /** Writes a backup of the hub into its own folder, and returns its name. */
  backup(): Promise<{ readonly name: string }>;
}

const NOT_FOUND = 3;
const REFUSED = 5;
const OFFLINE = 6;

const edgeId = z.string().refine(isEdgeId);
const device = z.object({ edgeId });
const identify = z.object({ edgeId, active: z.boolean() });
const pair = z.object({ again: z.boolean() });
const releaseQuestion = z.object({ force: z.boolean() });

export function answersOf(agent: AtTheHub): Answers {
  return {
    status: () => agent.status(),
    "devices add": async (about) => {
      const { edgeId } = given(device, about);
      if (!(await agent.addDevice(edgeId))) throw new AskRefused(`${edgeId} has never been on this hub`, NOT_FOUND);
    },
    identify: async (about) => {
      const { edgeId, active } = given(identify, about);
      const known = agent.status().devices.find((each) => each.edgeId === edgeId);
      if (!known) throw new AskRefused(`${edgeId} has never been on this hub`, NOT_FOUND);
      if (!known.live) throw new AskRefused(`${edgeId} is away`, OFFLINE);
      const hindered = await agent.identify(edgeId, active);
      if (hindered !== undefined) throw new AskRefused(hindered, OFFLINE);
    },
    pair: (about) => {
      if (!agent.pair(given(pair, about).again)) throw new AskRefused("this hub is already paired", REFUSED);
    },
    release: (about) => {
      const { mustBeReset, ...release } = agent.release(given(releaseQuestion, about).force);
      const names = new Map(agent.status().devices.map(({ edgeId, name }) => [edgeId, name]));
      return { ...release, mustBeReset: mustBeReset.map((edgeId) => ({ edgeId, name: names.get(edgeId) })) };
    },
    unpair: () => agent.unpair(),
    backup: () => agent.backup(),
  };
}

function given<T>(schema: z.ZodType<T>, about: unknown): T {
  const { data, error } = schema.safeParse(about);
  if (error) throw new AskRefused("this is not an edgeId such as 00-1B-44-11-3A-B7", REFUSED);
  return data as T;
}

/** The answers of a running agent about its drivers: devices that were found and not admitted, admissions, and setups. */

/** @param ask answers as the hub itself; its refusal becomes the exit status of a refused command */
export function driverAnswersOf(ask: (question: DriverQuestion) => Promise<DriverAnswer>): Answers {
  return {
    drivers: async (about) => {
      const { data, error } = driverQuestion.safeParse(about);
      if (!data) throw new AskRefused(error.issues[0]?.message ?? "this is not a request about drivers", REFUSED);
      const answer = await ask(data);
      if (!("refused" in answer)) return answer;
      const { name, detail } = answer.refused;
      throw new AskRefused(detail, name === "Setup Not Found" ? NOT_FOUND : REFUSED);
    },
  };
}

/** Creates, lists and revokes the tokens; its results are sent to the command unchanged. */
interface TokensAtTheHub {
  /** @throws "Quota Exceeded" */
  create(label: string): Promise<object>;
  list(): readonly object[];
  /** False when there is none with that ID. */
  revoke(id: string): Promise<boolean>;
}

const LONGEST_LABEL = 64;

const create = z.object({ label: z.string().max(LONGEST_LABEL) });
const revoke = z.object({ id: z.string().max(64) });

/** @param tokens called at the first request */
export function tokenAnswersOf(tokens: () => Promise<TokensAtTheHub>): Answers {
  return {
    "token create": async (about) => {
      const { data } = create.safeParse(about);
      if (!data) throw new AskRefused(`a name has at most ${LONGEST_LABEL} characters`, REFUSED);
      try {
        return await (await tokens()).create(data.label);
      } catch (failure) {
        throw isNamed(failure) ? new AskRefused(failure.message, REFUSED) : failure;
      }
    },
    "token list": async () => (await tokens()).list(),
    "token revoke": async (about) => {
      const { data } = revoke.safeParse(about);
      if (!data || !(await (await tokens()).revoke(data.id)))
        throw new AskRefused("there is no token with that ID", NOT_FOUND);
    },
  };
}
