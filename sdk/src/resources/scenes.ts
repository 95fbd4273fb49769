/** Scenes: values of devices and zones under one name, captured from the current state, and all set by one call. */
import type { NewScene, Scene, SceneCapture, SceneResult, SceneUpdate } from "@porchlight/shared/api";
import type { Transport } from "../transport.ts";
import { patient, preference, type WriteOptions } from "./history.ts";
import { type Meta, type ObjectOptions, Objects } from "./objects.ts";
import type { InEnvironment } from "./places.ts";

/** A request body with the client's type for metadata. */
type WithMeta<T> = Omit<T, "meta"> & { readonly meta?: Meta | undefined };

export interface SceneCallOptions extends WriteOptions {
  /** Write only to these devices, for example to those in `failures`. */
  readonly only?: readonly string[] | undefined;
}

export class Scenes extends Objects<Scene, WithMeta<NewScene>, WithMeta<SceneUpdate>, InEnvironment> {
  constructor(transport: Transport) {
    super(transport, "/api/scenes");
  }

  /** Creates a scene from the current values of devices. @throws PorchlightError */
  async capture(body: WithMeta<SceneCapture>, options: ObjectOptions = {}): Promise<Scene> {
    const headers = { "x-system-metadata-prefix": options.systemMetadataPrefix };
    const request = { method: "POST", path: `${this.path}/capture`, body, headers, repeat: "keyed" } as const;
    return (await this.transport.send<Scene>(request, options)).body;
  }

  /** Sets all properties of the scene and returns the result of each: check `failures`. @throws PorchlightError */
  async call(reference: string, options: SceneCallOptions = {}): Promise<SceneResult> {
    const { only, wait } = options;
    const headers = { prefer: preference(wait) };
    const request = {
      ...({ method: "POST", path: `${this.at(reference)}/call`, headers, repeat: "keyed" } as const),
      body: only ? { only } : {},
    };
    return (await this.transport.send<SceneResult>(request, patient(this.transport, options))).body;
  }
}
