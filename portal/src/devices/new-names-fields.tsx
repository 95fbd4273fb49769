/** A name field for each new device without a name, with the device's product and kind. */
import { Stack, TextInput } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import { suggestedNames } from "@porchlight/shared/presentation";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { devicesQuery } from "../data/queries.ts";
import { environmentServicesQuery } from "../data/services.ts";
import { Failure } from "../kit/display/failure.tsx";
import { LONGEST_NAME, nameOf } from "../kit/text/names.ts";
import { useApi } from "../session/context.tsx";
import { nameNew } from "./rename.ts";

export function NewNamesFields({ names: { items, type, error } }: { readonly names: NewNames }) {
  return (
    <Stack gap="sm">
      {items.map(({ device: { id, meta, edgeId = id }, name }) => (
        <TextInput
          key={id}
          label={items.length === 1 ? "Name" : `Name of ${productOf(meta) ?? "device"}`}
          description={items.length === 1 && productOf(meta) !== undefined ? `${productOf(meta)}, ${edgeId}` : edgeId}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          value={name}
          onChange={({ currentTarget }) => type(id, currentTarget.value)}
        />
      ))}
      {error && <Failure error={error} />}
    </Stack>
  );
}

/** "IKEA LED1623G12"; undefined when the device reports neither manufacturer nor model. */
function productOf({ "$.manufacturer": maker, "$.model": model }: Readonly<Record<string, unknown>>) {
  const words = [maker, model].filter((each) => typeof each === "string" && each !== "");
  return words.length === 0 ? undefined : words.join(" ");
}

/** Poll interval in ms until the services of a new device are known. */
const LOOK_AGAIN = 2000;

interface NewName {
  readonly device: Device;
  /** The typed name, or the suggested one. An empty name is not saved. */
  readonly name: string;
}

export interface NewNames {
  /** Unnamed devices whose kind is known. */
  readonly items: readonly NewName[];
  readonly type: (deviceId: string, name: string) => void;
  /** Saves all names together. @returns whether every device that needs a name now has one */
  readonly save: () => Promise<boolean>;
  readonly isSaving: boolean;
  readonly error: Error | null;
}

/**
 * Names for new devices without one: suggested, editable, and saved together.
 * @param environmentId "" while it is not known
 * @param isNew selects the new devices
 */
export function useNewNames(environmentId: string, isNew: (device: Device) => boolean): NewNames {
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const { data: devices = [] } = useQuery({ ...devicesQuery(api, environmentId), enabled: environmentId !== "" });
  const nameless = devices.filter((device) => isNew(device) && givenName(device.meta) === undefined);
  const { data: services } = useQuery({
    ...environmentServicesQuery(api, environmentId),
    enabled: nameless.length > 0,
    refetchInterval: ({ state }) => (nameless.every(({ id }) => state.data?.has(id)) ? false : LOOK_AGAIN),
  });
  const known = nameless.flatMap((device) => {
    const list = services?.get(device.id)?.items;
    return list ? [{ device, services: list.map(({ service }) => service) }] : [];
  });
  const suggested = suggestedNames(
    known.map(({ device: { id, meta }, services: classes }) => ({ id, services: classes, model: modelOf(meta) })),
    devices.filter((device) => !nameless.includes(device)).map(nameOf),
  );
  const items = known.map(({ device }) => ({
    device,
    name: typed.get(device.id) ?? suggested.get(device.id) ?? "",
  }));
  const saving = useMutation({
    mutationFn: async () => {
      for (const { device, name } of items) if (name.trim() !== "") await nameNew(api.devices, device.id, name.trim());
    },
    // The devices before a failed one already have their names.
    onSettled: () => queries.invalidateQueries({ queryKey: ["devices"] }),
  });
  const save = () =>
    saving.mutateAsync().then(
      () => true,
      () => false,
    );
  return {
    ...{ items, save, isSaving: saving.isPending, error: saving.error },
    type: (deviceId, name) => setTyped((before) => new Map(before).set(deviceId, name)),
  };
}

function modelOf({ "$.model": model }: Device["meta"]): string | undefined {
  return typeof model === "string" ? model : undefined;
}
