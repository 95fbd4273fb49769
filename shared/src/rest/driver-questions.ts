/** Requests about a hub's drivers as questions to the hub, and the hub's answers for the caller: the same in the cloud and at home. */
import { NamedError } from "../kernel/index.ts";
import {
  type DriverAnswer,
  type DriverQuestion,
  type HubDriver,
  type HubSetup,
  isEdgeId,
  type MatterBridge,
} from "../model/index.ts";
import { bodyInvalid } from "./request/body.ts";
import { readPrefer } from "./request/headers.ts";

/** Query parameters of the request that reads a setup. */
export const SETUP_QUERY = ["after"] as const;

/** Seconds: the other setup may end at any moment. */
const IN_USE_RETRY_AFTER = 5;
const MOST_VERSION = 1e9;

/** @param edgeId of the path @throws "Device Invalid" */
export function admitQuestion(edgeId: string, admitted: boolean): DriverQuestion {
  if (!isEdgeId(edgeId))
    throw new NamedError(
      "Device Invalid",
      "This is not an edgeId such as `02-1B-44-11-3A-B7`, with upper-case digits and hyphens.",
    );
  return { ask: "admit", edgeId, admitted };
}

/**
 * With `after`, the version that the caller has, it waits for a newer one, for as long as `prefer` allows.
 * @throws "Query Parameter Invalid"
 */
export function lookQuestion(
  id: string,
  after: string | undefined,
  prefer: string | undefined,
): { readonly question: Extract<DriverQuestion, { ask: "setup look" }>; readonly applied: string | undefined } {
  if (after === undefined) return { question: { ask: "setup look", id, after: 0, waitMs: 0 }, applied: undefined };
  const version = /^\d{1,9}$/.test(after) ? Number(after) : MOST_VERSION + 1;
  if (version > MOST_VERSION)
    throw new NamedError("Query Parameter Invalid", "`after` must be the `version` of the setup that you have.");
  const { waitMs, applied } = readPrefer(prefer);
  return { question: { ask: "setup look", id, after: version, waitMs }, applied };
}

/** @param number of the path @throws "Setup Answer Invalid" */
export function answerQuestion(id: string, number: string, answer: string): DriverQuestion {
  if (!/^[1-9]\d{0,5}$/.test(number)) throw new NamedError("Setup Answer Invalid");
  return { ask: "setup answer", id, number: Number(number), answer };
}

/** The single text of a body. @throws "Body Parameters Missing", "Body Parameters Invalid" */
export function readOneText(body: Readonly<Record<string, unknown>>, field: "kind" | "answer", most: number): string {
  const { [field]: text, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) throw bodyInvalid([{ pointer: `/${other}`, message: "is not known here" }]);
  if (text === undefined || text === null) throw new NamedError("Body Parameters Missing", `\`${field}\` is missing.`);
  if (typeof text !== "string" || text.length > most)
    throw bodyInvalid([{ pointer: `/${field}`, message: `must be a text of at most ${most} characters` }]);
  return text;
}

/** The setup in an answer. @throws the refusal in the answer */
export function setupAnswered(answer: DriverAnswer): HubSetup {
  if ("setup" in answer) return answer.setup;
  throw refusalIn(answer);
}

/** The drivers, and the Matter bridge while one runs. @throws the refusal in the answer */
export function driverListAnswered(answer: DriverAnswer): {
  readonly items: HubDriver[];
  readonly matterBridge?: MatterBridge | undefined;
} {
  if (!("drivers" in answer)) throw refusalIn(answer);
  const { drivers, matterBridge } = answer;
  return { items: [...drivers], ...(matterBridge && { matterBridge }) };
}

/** @throws the refusal in the answer */
export function requireAdmitted(answer: DriverAnswer): void {
  if (!("admitted" in answer)) throw refusalIn(answer);
}

function refusalIn(answer: DriverAnswer): NamedError {
  if ("refused" in answer) {
    const { name, detail } = answer.refused;
    return new NamedError(name, detail, name === "Setup In Use" ? { retryAfter: IN_USE_RETRY_AFTER } : {});
  }
  return new NamedError("Internal Error", "The hub sent the answer to a different request.");
}
