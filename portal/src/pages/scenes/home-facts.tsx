/** The time zone and the location of the home, by which triggers run; editable here, where they are needed. */
import { Group, Select, Stack, Text, TextInput } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { readNumber } from "../../devices/control-of.ts";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { useApi } from "../../session/context.tsx";
import classes from "./triggers.module.css";

interface HomeFactsProps {
  readonly environment: Environment;
  /** At least one trigger depends on sunrise or sunset. */
  readonly needsLocation: boolean;
}

export function HomeFacts({ environment, needsLocation }: HomeFactsProps) {
  const { timeZone, location } = environment;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm">
          {timeZone === undefined
            ? "The time zone of the home is not known."
            : `Times are by the clock of ${timeZone}.`}
        </Text>
        <TimeZoneDialog environment={environment} />
      </Group>
      {(needsLocation || location) && (
        <Group gap="xs">
          <Text size="sm">
            {location
              ? `The home is at ${location.latitude}°, ${location.longitude}°.`
              : "The location of the home is not known, which sunrise and sunset need."}
          </Text>
          <LocationDialog environment={environment} />
        </Group>
      )}
    </Stack>
  );
}

/** Saves a change of the environment and refetches it. */
function useSaving(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  return {
    save: (body: Parameters<typeof api.environments.update>[1]) => api.environments.update(id, body),
    onDone: () => void queries.invalidateQueries({ queryKey: ["environments"] }),
  };
}

function TimeZoneDialog({ environment: { id, timeZone } }: Pick<HomeFactsProps, "environment">) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [chosen, setChosen] = useState<string>();
  const { save, onDone } = useSaving(id);
  const value = chosen ?? timeZone ?? here;
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf("timeZone");
    return known.includes(value) ? known : [value, ...known];
  }, [value]);
  return (
    <FormDialog
      label={timeZone === undefined ? "Set time zone" : "Change time zone"}
      size="xs"
      title="Time zone of the home"
      submitLabel="Save time zone"
      act={() => save({ timeZone: value })}
      onDone={onDone}
    >
      {() => (
        <Select
          label="Time zone"
          description={timeZone === undefined ? `Suggested: ${here}, that of this browser.` : undefined}
          searchable
          allowDeselect={false}
          limit={100}
          data={zones}
          value={value}
          onChange={(next) => next !== null && setChosen(next)}
        />
      )}
    </FormDialog>
  );
}

const LATITUDES = { min: -90, max: 90 };
const LONGITUDES = { min: -180, max: 180 };

function LocationDialog({ environment: { id, location } }: Pick<HomeFactsProps, "environment">) {
  const [typed, setTyped] = useState<readonly [latitude?: string, longitude?: string]>([]);
  const { save, onDone } = useSaving(id);
  const texts = [typed[0] ?? String(location?.latitude ?? ""), typed[1] ?? String(location?.longitude ?? "")] as const;
  const latitude = readNumber(texts[0], false, LATITUDES);
  const longitude = readNumber(texts[1], false, LONGITUDES);
  return (
    <FormDialog
      label={location ? "Change location" : "Set location"}
      size="xs"
      title="Location of the home"
      submitLabel="Save location"
      isReady={latitude.kind === "value" && longitude.kind === "value"}
      act={async () => {
        if (latitude.kind !== "value" || longitude.kind !== "value") return;
        await save({ location: { latitude: Number(latitude.value), longitude: Number(longitude.value) } });
      }}
      onDone={onDone}
    >
      {() => (
        <>
          <Text size="sm">
            In degrees, as maps show them. One decimal is enough: sunrise and sunset are then right to a minute.
          </Text>
          <TextInput
            label="Latitude"
            description="North is positive: 52.5"
            inputMode="text"
            autoComplete="off"
            className={classes.degrees}
            value={texts[0]}
            error={latitude.kind === "fault" ? latitude.fault : undefined}
            onChange={(event) => setTyped([event.currentTarget.value, typed[1]])}
          />
          <TextInput
            label="Longitude"
            description="East is positive: 13.4"
            inputMode="text"
            autoComplete="off"
            className={classes.degrees}
            value={texts[1]}
            error={longitude.kind === "fault" ? longitude.fault : undefined}
            onChange={(event) => setTyped([typed[0], event.currentTarget.value])}
          />
        </>
      )}
    </FormDialog>
  );
}
