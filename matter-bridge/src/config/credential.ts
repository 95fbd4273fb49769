/** Address of the hub and the token for its API, written into the data folder by the installed unit or by a person. */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { BridgeSettings } from "./settings.ts";

export interface Credential {
  readonly url: string;
  readonly token: string;
  /** Called when the hub rejects the token: renames it, so that the unit creates another at the next start. */
  refused(): void;
}

/** The address or the token is missing; the message states what a person can do. */
export class NoCredential extends Error {}

/** @throws NoCredential */
export function readCredential({
  data,
  hub,
  tokenFile,
}: Pick<BridgeSettings, "data" | "hub" | "tokenFile">): Credential {
  const path = tokenFile ?? join(data, "token");
  const url = hub ?? read(join(data, "hub"));
  if (!url) throw new NoCredential("the address of the hub's API is not known: give it with --hub");
  const token = read(path);
  if (!token)
    throw new NoCredential(`${path} has no token: porchlight-agent token create --name "Matter bridge" makes one`);
  return {
    url,
    token,
    refused: () => {
      if (tokenFile === undefined) renameSync(path, `${path}.refused`);
    },
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
}
