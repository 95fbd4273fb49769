/** The dialogs of the zone tree: move an item, create a zone, rename a zone, and confirm a deletion. */
import { Select, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ALIAS_ERRORS, AliasInput } from "../../kit/forms/alias-field.tsx";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { useApi } from "../../session/context.tsx";
import { type Forest, nameIn } from "./forest.ts";
import { writeItems } from "./use-items.ts";

/** Value of the select for "in no zone". */
const NONE = "none";

interface PlaceDialogProps {
  readonly forest: Forest;
  readonly id: string;
  /** True to move the item out of the zone it was opened from; false to add it to a further zone. */
  readonly isMove: boolean;
  /** @param zoneId undefined: in no zone */
  readonly onChosen: (zoneId: string | undefined) => void;
  readonly onClose: () => void;
}

export function PlaceDialog({ forest, id, isMove, onChosen, onClose }: PlaceDialogProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const zones = [...forest.zones.keys()]
    .filter((zone) => zone !== id)
    .map((zone) => ({ value: zone, label: pathName(forest, zone) }));
  const act = async () => onChosen(chosen === NONE || chosen === null ? undefined : chosen);
  return (
    <FormModal
      title={`${isMove ? "Move" : "Also put"} ${nameIn(forest, id)}`}
      submitLabel={isMove ? "Move" : "Put"}
      isReady={chosen !== null}
      act={act}
      onClose={onClose}
    >
      {() => (
        <Select
          label={isMove ? "To" : "Into"}
          placeholder="Type to find a zone"
          data={isMove ? [{ value: NONE, label: "(not in a zone)" }, ...zones] : zones}
          value={chosen}
          onChange={setChosen}
          searchable
          limit={50}
          data-autofocus
          nothingFoundMessage="No results"
        />
      )}
    </FormModal>
  );
}

/** The zone's name with its outer zone, to distinguish zones with the same name. */
function pathName(forest: Forest, id: string): string {
  const outer = forest.parents.get(id)?.[0];
  return outer === undefined ? nameIn(forest, id) : `${nameIn(forest, id)} (in ${nameIn(forest, outer)})`;
}

interface NewZoneProps {
  readonly environmentId: string;
  /** The zone that contains the new zone; undefined at the top. */
  readonly inside?: { readonly id: string; readonly name: string } | undefined;
  readonly onClose: () => void;
}

export function NewZoneDialog({ environmentId, inside, onClose }: NewZoneProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [alias, setAlias] = useState("");
  // The zone is created but not yet in its place: a retry must not create another one.
  const made = useRef<string>(undefined);
  const act = async () => {
    made.current ??= (await api.zones.create({ environmentId, ...(alias !== "" && { alias }) })).id;
    if (inside) await writeItems(api.zones, [{ kind: "put", zoneId: inside.id, item: made.current }]);
    await queries.invalidateQueries({ queryKey: ["zones"] });
  };
  return (
    <FormModal
      title={inside ? `Create zone in ${inside.name}` : "Create zone"}
      submitLabel="Create zone"
      atFields={ALIAS_ERRORS}
      act={act}
      onClose={onClose}
    >
      {(error) => <AliasInput label="Name" value={alias} onChange={setAlias} error={error} />}
    </FormModal>
  );
}

interface OfZone {
  readonly id: string;
  readonly alias: string | undefined;
  readonly onClose: () => void;
}

export function RenameDialog({ id, alias, onClose }: OfZone) {
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(alias ?? "");
  const act = async () => {
    await api.zones.update(id, { alias: typed === "" ? null : typed });
    await queries.invalidateQueries({ queryKey: ["zones"] });
  };
  return (
    <FormModal title={`Rename ${alias ?? id}`} submitLabel="Rename" atFields={ALIAS_ERRORS} act={act} onClose={onClose}>
      {(error) => <AliasInput label="Name" value={typed} onChange={setTyped} error={error} />}
    </FormModal>
  );
}

export function DeleteZoneDialog({ id, alias, count, onClose }: OfZone & { readonly count: number }) {
  const api = useApi();
  const queries = useQueryClient();
  const act = async () => {
    await api.zones.delete(id);
    await queries.invalidateQueries({ queryKey: ["zones"] });
  };
  return (
    <FormModal title={`Delete ${alias ?? id}?`} submitLabel="Delete zone" color="bad" act={act} onClose={onClose}>
      {() => (
        <Text size="sm">
          Only the zone itself is deleted: {count === 0 ? "it is empty" : `its contents stay (${count})`}. It is removed
          from every zone that it is in. This cannot be undone.
        </Text>
      )}
    </FormModal>
  );
}
