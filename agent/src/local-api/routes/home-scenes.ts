/** The scenes of the hub as the API at home shows them, with what they set and what calls them. */
import type { Scene, SceneTrigger } from "@porchlight/shared/api";
import { formatTime, isId } from "@porchlight/shared/kernel";
import { addressKey } from "@porchlight/shared/model";
import { showMeta } from "@porchlight/shared/rest";
import type { StoredScene } from "@porchlight/shared/tunnel";
import type { SceneSummary, State } from "../../state/index.ts";

export class HomeScenes {
  readonly #state: Pick<State, "home">;

  constructor(state: Pick<State, "home">) {
    this.#state = state;
  }

  /** In the order of their IDs. None while the cloud has told the names of one home and the scenes of another. */
  all(): SceneSummary[] {
    const { place, scenes } = this.#state.home;
    return place && place.environmentId === scenes.home?.environmentId ? scenes.summaries() : [];
  }

  get(id: string): StoredScene | undefined {
    return this.#state.home.scenes.get(id);
  }

  /** @param prefix of system metadata */
  show(scene: StoredScene, prefix: string): Scene {
    const { ecosystemId = "", environmentId = "", clientId } = this.#state.home.place ?? {};
    const { id, alias, meta, items, triggers, createdAt } = scene;
    return {
      ...{ id, ecosystemId, environmentId },
      ...(alias !== undefined && { alias }),
      meta: showMeta(meta, prefix),
      // As the schema of the resource has them; the frame's own schema has let them through.
      items: items as Scene["items"],
      triggers: triggers.map(shownTrigger),
      ...(clientId !== undefined && isId("cli", clientId) && { hubId: clientId }),
      createdAt: formatTime(createdAt),
    };
  }
}

function shownTrigger(trigger: StoredScene["triggers"][number]): SceneTrigger {
  if (trigger.kind !== "event") return trigger;
  const { kind, deviceId, value } = trigger;
  return { kind, deviceId, service: addressKey(trigger), value };
}
