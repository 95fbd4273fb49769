/** Explains why no hub can trigger a scene: its devices are not all on one hub, or the hub's agent is too old to store scenes. Pure. */
import type { Client } from "@porchlight/shared/api";
import { cut, nameOf } from "../../kit/text/names.ts";
import type { HubOfScene } from "./scene-home.ts";

interface WhyNoTriggers {
  readonly says: string;
  /** The advice for existing triggers. */
  readonly cure: string;
}

const ELSEWHERE = "Remove its triggers, or what it sets elsewhere.";

/** @param hubs of the environment @returns undefined when triggers work, or when nothing is known against it */
export function whyNoTriggers(hub: HubOfScene, hubs: readonly Client[]): WhyNoTriggers | undefined {
  switch (hub.kind) {
    case "one": {
      const client = hubs.find(({ id }) => id === hub.hubId);
      return client?.connection.storesScenes === false ? outdated(client) : undefined;
    }
    case "none":
      return { says: "Triggers are not offered: the scene sets no device that is there.", cure: ELSEWHERE };
    case "virtual":
      return {
        says: "Triggers are not offered: the scene also sets a device that is connected to no hub, and the hub must be able to set everything by itself.",
        cure: ELSEWHERE,
      };
    case "several":
      return {
        says: `Triggers are not offered: the scene sets devices of ${hub.count} hubs, and one hub must be able to set everything by itself.`,
        cure: ELSEWHERE,
      };
  }
}

function outdated(client: Client): WhyNoTriggers {
  const { agentVersion } = client.connection;
  const version = agentVersion === undefined ? "" : ` (version ${cut(agentVersion, 40)})`;
  return {
    says: `Triggers are not offered: the agent on ${cut(nameOf(client), 60)}${version} is too old to store scenes. Update the agent, and they are offered here.`,
    cure: "Until then its triggers have no effect. You can still call the scene.",
  };
}
