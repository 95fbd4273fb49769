/** What the log calls devices, scenes and senders: asked for only as far as the events need it. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { standardProperty } from "@porchlight/shared/model";
import { nameOf } from "@porchlight/shared/names";
import type { LogNames } from "@porchlight/shared/presentation";
import type { Context } from "../../session/context.ts";
import { allowed } from "./allowed.ts";
import { logSenders } from "./log-senders.ts";

/** What the token of this console may not see stays without a name. @throws PorchlightError for any other reason */
export async function logNames(
  context: Context,
  environmentId: string,
  events: readonly PorchlightEvent[],
): Promise<LogNames> {
  const { porchlight } = context;
  const text = JSON.stringify(events.map(({ data }) => data));
  const hasScenes = text.includes('"sceneId":') || events.some(isCall);
  const tokens = new Set(Array.from(text.matchAll(/"tokenId":"([^"]+)"/g), ([, id = ""]) => id));
  const [devices, scenes, senders] = await Promise.all([
    allowed(() => porchlight.devices.list({ environmentId }).all()),
    hasScenes ? allowed(() => porchlight.scenes.list({ environmentId }).all()) : [],
    logSenders(context, tokens),
  ]);
  const named = new Map([...devices, ...scenes].map((each) => [each.id, nameOf(each)]));
  return {
    device: (id) => named.get(id),
    scene: (id) => named.get(id),
    property: (service, property) => `${service}.${property}`,
    unit: (service, property) => standardProperty(service, property)?.unit,
    sender: (tokenId) => senders.get(tokenId),
  };
}

function isCall({ type }: PorchlightEvent): boolean {
  return type === "scene.called";
}
