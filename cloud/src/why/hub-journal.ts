/** What the hub's journal says of the commands to a property, asked through the tunnel; or why that is not known. It never fails the answer. */
import { isNamed } from "@porchlight/shared/kernel";
import type { HubJournal, JournalQuestion } from "@porchlight/shared/model";
import type { Devices } from "../devices/index.ts";

export type JournalSaid =
  /** There is no hub. */
  | { readonly kind: "none" }
  | { readonly kind: "told"; readonly journal: HubJournal }
  | { readonly kind: "unknown"; readonly detail: string };

const OUTDATED = "The agent on the hub is too old to answer questions about its journal.";

/** @param hub where the device is; undefined of a virtual device */
export async function askJournal(
  devices: Pick<Devices, "askMaintenance">,
  hub: { readonly ecosystemId: string; readonly clientId: string } | undefined,
  property: Omit<JournalQuestion, "ask">,
): Promise<JournalSaid> {
  if (!hub) return { kind: "none" };
  try {
    const answer = await devices.askMaintenance({ ...hub, question: { ask: "journal", ...property } });
    if ("journal" in answer) return { kind: "told", journal: answer.journal };
    return { kind: "unknown", detail: "refused" in answer ? answer.refused : OUTDATED };
  } catch (error) {
    if (!isNamed(error)) throw error;
    if (error.name === "Hub Outdated") return { kind: "unknown", detail: OUTDATED };
    if (error.name === "Hub Offline")
      return { kind: "unknown", detail: "The hub is not connected, so its journal cannot be read." };
    return { kind: "unknown", detail: "The hub did not answer the question about its journal in time." };
  }
}
