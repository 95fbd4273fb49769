/** As whom the service sees this console, and how the hubs stand that it may see. */
import { isPorchlightError } from "@porchlight/sdk";
import type { Client } from "@porchlight/shared/api";
import { relativeTime } from "../render/time.ts";
import type { Context } from "../session/context.ts";
import { Failure } from "../session/failure.ts";
import { bad, doubtful, type Finding, good } from "./finding.ts";

/** Hubs whose clock is further off are told of, ms. */
const SKEW = 30_000;

export async function tokenFinding(context: Context): Promise<Finding> {
  const { connection, output } = context;
  try {
    const { type, expiresAt } = await context.porchlight.account.token();
    const from = connection.tokenFrom === "profile" ? `profile ${connection.profile}` : "PORCHLIGHT_TOKEN";
    const ends = expiresAt === undefined ? "does not expire" : `ends ${relativeTime(expiresAt, output.showing.now)}`;
    return good("token", `of kind ${type} (${from}), ${ends}`);
  } catch (failure) {
    if (failure instanceof Failure)
      return bad("token", `${failure.message} ${failure.why}`, failure.remedy, failure.exit);
    if (!isPorchlightError(failure) || failure.status === 0) throw failure;
    const cure = connection.tokenFrom === "profile" ? "porchlight login" : "unset PORCHLIGHT_TOKEN, or give another";
    return bad("token", `${failure.name}. ${failure.message}`, cure, "notAllowed");
  }
}

/** One a hub; undefined for none. @throws PorchlightError */
export async function hubFindings({ porchlight, output, connection }: Context): Promise<readonly Finding[]> {
  try {
    const environmentId = connection.environment?.startsWith("env_") ? connection.environment : undefined;
    const hubs = await porchlight.clients.list({ environmentId }).all();
    if (hubs.length === 0) return [good("hubs", "There is none yet: porchlight hubs pair CODE")];
    return hubs.map((hub) => hubFinding(hub, output.showing.now));
  } catch (failure) {
    if (!isPorchlightError(failure) || failure.status === 0 || failure.status >= 500) throw failure;
    return [doubtful("hubs", `They are not shown to this token: ${failure.name}.`, "porchlight whoami")];
  }
}

function hubFinding({ id, alias, edgeId, connection }: Client, now: number): Finding {
  const name = `hub ${alias ?? edgeId ?? id}`;
  const { state, since, reason, clockSkewMs, roundTripMs } = connection;
  const ago = relativeTime(since, now) ?? since;
  if (state !== "online") {
    const told = `${state}, last change ${ago}${reason === undefined ? "" : ` (${reason})`}`;
    return doubtful(name, told, "look whether it has power and a network; on the hub: porchlight-agent doctor");
  }
  if (clockSkewMs !== undefined && Math.abs(clockSkewMs) > SKEW)
    return doubtful(
      name,
      `online, with a clock that is ${Math.round(clockSkewMs / 1000)} s off`,
      "set the hub's clock",
    );
  return good(
    name,
    `online, last change ${ago}${roundTripMs === undefined ? "" : `, ${Math.round(roundTripMs)} ms away`}`,
  );
}
