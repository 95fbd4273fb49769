/** Exporters of what an account has built: ecosystems, environments, zones, scenes, and what was deleted of these and of all else. */
import { formatTime } from "@porchlight/shared/api";
import {
  type Ecosystems,
  type Environments,
  ecosystemResource,
  environmentResource,
  type Zones,
  zoneResource,
} from "../../places/index.ts";
import { type Scenes, sceneResource } from "../../scenes/index.ts";
import type { Store } from "../../store/index.ts";
import { EXPORT_PAGE, type Exporter, paged } from "./exporter.ts";

export interface PlaceExportersDeps {
  readonly store: Store;
  readonly ecosystems: Pick<Ecosystems, "list">;
  readonly environments: Pick<Environments, "list">;
  readonly zones: Pick<Zones, "list">;
  readonly scenes: Pick<Scenes, "list">;
}

export function placeExporters(deps: PlaceExportersDeps): Exporter[] {
  const { store, ecosystems, environments, zones, scenes } = deps;
  return [
    {
      name: "ecosystems",
      about: "Ecosystems, with alias and metadata.",
      tables: ["ecosystems", "objects"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => ecosystems.list(caller, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const row of rows) yield ecosystemResource(row);
      },
    },
    {
      name: "environments",
      about: "Environments (homes), with alias, metadata, time zone and location.",
      tables: ["objects", "homes"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => environments.list(caller, undefined, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const row of rows) yield environmentResource(row);
      },
    },
    {
      name: "zones",
      about: "Zones, with alias and metadata. `items` are the IDs of the devices and zones in a zone.",
      tables: ["objects", "zone_items"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => zones.list(caller, undefined, { after, limit: EXPORT_PAGE }),
          ({ id }) => id,
        );
        for await (const row of rows) yield zoneResource(row);
      },
    },
    {
      name: "scenes",
      about: "Scenes, with alias and metadata, what each sets, and what calls it.",
      tables: ["objects", "scene_items", "scene_triggers"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => scenes.list(caller, undefined, { after, limit: EXPORT_PAGE }),
          ({ id }) => id,
        );
        for await (const row of rows) yield sceneResource(row);
      },
    },
    {
      name: "deleted-objects",
      about:
        "IDs of objects that were deleted. Of most, the service keeps only the ID, so that the ID is never used again.",
      tables: ["objects"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const rows = paged(
            (after) => readDeleted(store, eco, after),
            ({ id }) => id,
          );
          for await (const { id, ecosystem_id, environment_id, created_at, gone_at } of rows)
            yield {
              id,
              ecosystemId: ecosystem_id,
              ...(environment_id !== null && { environmentId: environment_id }),
              createdAt: formatTime(created_at),
              ...(gone_at !== null && { deletedAt: formatTime(gone_at) }),
            };
        }
      },
    },
  ];
}

function readDeleted(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  return reader.sql.query(
    reader
      .from("objects")
      .select(["id", "ecosystem_id", "environment_id", "created_at", "gone_at"])
      .where("gone_at", "is not", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(EXPORT_PAGE),
  );
}
