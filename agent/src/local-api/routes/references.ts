/** Resolves references at home: to this environment and the hub's own devices and scenes, by ID or alias; everything else is unknown. */

import type { Scene, SceneTrigger } from "@porchlight/shared/api";
import { formatTime, isId } from "@porchlight/shared/kernel";
import { addressKey } from "@porchlight/shared/model";
import { parseReference, referenceInvalid, referenceNotFound, showMeta } from "@porchlight/shared/rest";
import type { StoredScene } from "@porchlight/shared/tunnel";
import type { SceneSummary, State } from "../../state/index.ts";
import type { HomeDevice, HomeView } from "./home-view.ts";

export interface HomeReferencesDeps {
  readonly state: Pick<State, "home">;
  readonly view: Pick<HomeView, "devices">;
  readonly scenes: Pick<HomeScenes, "all" | "get">;
}

type Parts = NonNullable<ReturnType<typeof parseReference>>;
type Part = Parts[number];

export class HomeReferences {
  readonly #deps: HomeReferencesDeps;

  constructor(deps: HomeReferencesDeps) {
    this.#deps = deps;
  }

  /** @throws "Ecosystem Invalid" */
  ecosystem(text: string): undefined {
    if (text !== this.#deps.state.home.place?.ecosystemId) throw referenceInvalid("eco");
  }

  /** @throws "Environment Invalid", "Environment Not Found" */
  environment(text: string): undefined {
    const parts = parseReference(["env"], text);
    const fault = parts ? this.#walkEnvironment(parts) : { kind: "invalid", part: undefined };
    if (fault?.kind === "invalid") throw referenceInvalid("env", fault.part);
    if (fault) throw referenceNotFound("env", fault.part);
  }

  /** @throws "Device Invalid", "Device Not Found" */
  device(text: string): HomeDevice {
    return this.#find("dev", text, (last) =>
      this.#deps.view.devices().find((device) => means(last, device.id, device.name.alias)),
    );
  }

  /** @throws "Scene Invalid", "Scene Not Found" */
  scene(text: string): StoredScene {
    const { scenes } = this.#deps;
    return this.#find("scn", text, (last) => {
      const found = scenes.all().find((each) => means(last, each.id, each.alias));
      return found && scenes.get(found.id);
    });
  }

  #find<T>(kind: "dev" | "scn", text: string, look: (last: Part) => T | undefined): T {
    const parts = parseReference([kind], text);
    const last = parts?.at(-1);
    if (!parts || !last) throw referenceInvalid(kind);
    const around = parts.slice(0, -1);
    const fault = around.length > 0 ? this.#walkEnvironment(around) : undefined;
    if (fault?.kind === "invalid") throw referenceInvalid(kind, fault.part);
    if (fault) throw referenceNotFound(kind, fault.part);
    const found = look(last);
    if (found) return found;
    // An ID that the hub does not know may belong to another environment; an alias is searched in this environment only.
    throw last.by === "id"
      ? referenceInvalid(kind, around.length > 0 ? last.text : undefined)
      : referenceNotFound(kind, last.text);
  }

  /** Checks a reference to the ecosystem, the environment, or the environment within the ecosystem. */
  #walkEnvironment(
    parts: Parts,
  ): { readonly kind: "invalid" | "notFound"; readonly part: string | undefined } | undefined {
    const { place } = this.#deps.state.home;
    const [first, second, third] = parts;
    const isScoped = parts.length > 1;
    const unknown = (part: Part) => ({ kind: "invalid", part: isScoped ? part.text : undefined }) as const;
    if (!first) return { kind: "invalid", part: undefined };
    if (!place || third) return unknown(third ?? first);
    if (!second) return means(first, place.environmentId, undefined) ? undefined : unknown(first);
    if (!means(first, place.ecosystemId, undefined)) return unknown(first);
    if (means(second, place.environmentId, place.environmentAlias)) return undefined;
    return second.by === "id" ? unknown(second) : { kind: "notFound", part: second.text };
  }
}

function means(part: Part, id: string, alias: string | undefined): boolean {
  return part.by === "id" ? part.text === id : part.text === alias;
}

/** The scenes of the hub as the API at home shows them, with their items and triggers. */
export class HomeScenes {
  readonly #state: Pick<State, "home">;

  constructor(state: Pick<State, "home">) {
    this.#state = state;
  }

  /** All scenes, ordered by ID. None while the names and the scenes from the cloud belong to different environments. */
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
      // Typed as in the schema of the resource, which the frame's schema does not check in detail.
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
