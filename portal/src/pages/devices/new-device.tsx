/** The form for a virtual device, with standard classes from the catalogue and custom services. */
import { ActionIcon, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import type { NewDevice } from "@porchlight/sdk";
import type { ServiceClass } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { catalogueQuery } from "../../data/catalogue.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { AliasInput, aliasError } from "../../kit/forms/alias-field.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { useApi } from "../../session/context.tsx";
import classes from "./class-choice.module.css";
import { plannedDevice } from "./new-device-plan.ts";

const route = getRouteApi("/inside/environments/$environmentId/devices/new");

const EXAMPLE = `[{"service": "Sign", "properties": [
  {"property": "text", "type": "string", "access": ["read", "write", "notify"], "value": "welcome"}
]}]`;

export function NewDevicePage() {
  const api = useApi();
  const { environmentId } = route.useParams();
  const catalogue = useQuery(catalogueQuery(api));
  return (
    <Page
      title="Create virtual device"
      lead="A virtual device has no hardware: use it for a scene, for a sensor of another system, or to try your application. You read and set it like any other device, and it responds at once."
    >
      <QueryView query={catalogue}>{(classes) => <Form classes={classes} environmentId={environmentId} />}</QueryView>
    </Page>
  );
}

interface FormProps {
  readonly classes: readonly ServiceClass[];
  readonly environmentId: string;
}

function Form({ classes, environmentId }: FormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [alias, setAlias] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [json, setJson] = useState("");
  const planned = plannedDevice({ environmentId, alias, classes: chosen, json });
  const making = useMutation({
    mutationFn: (device: NewDevice) => api.devices.create(device),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["devices"] });
      await navigate({
        to: "/environments/$environmentId/devices/$deviceId",
        params: { environmentId, deviceId: id },
        ignoreBlocker: true,
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (planned.kind === "device") making.mutate(planned.device);
  };
  return (
    <form onSubmit={submit}>
      <Unsaved isThere={alias !== "" || chosen.length > 0 || json !== ""} what="This device is" />
      <Stack gap="lg">
        <Section title="Services" lead="Choose standard classes. A device can have several services of one class.">
          <ClassChoice classes={classes} chosen={chosen} onChange={setChosen} />
        </Section>
        <Section
          title="Custom services"
          lead="For a class that is not in the catalogue, give the type of each property. Without “access”, a property can be read but not set."
        >
          <Textarea
            label="Services, as JSON"
            placeholder={EXAMPLE}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            value={json}
            error={planned.kind === "fault" ? planned.fault : undefined}
            onChange={(event) => setJson(event.currentTarget.value)}
          />
          {json === "" && (
            <Group>
              <Button size="compact-sm" variant="default" onClick={() => setJson(EXAMPLE)}>
                Insert example
              </Button>
            </Group>
          )}
        </Section>
        <Section title="Alias">
          <AliasInput value={alias} onChange={setAlias} error={making.error} />
        </Section>
        {making.error && aliasError(making.error) === undefined && <Failure error={making.error} />}
        <Group>
          {planned.kind === "device" ? (
            <Submit label="Create device" isPending={making.isPending} error={making.error} />
          ) : (
            <>
              <Button type="submit" disabled>
                Create device
              </Button>
              <Text size="sm" c="dimmed">
                {planned.kind === "nothing"
                  ? "Choose at least one class, or enter a custom service."
                  : "The JSON is not valid."}
              </Text>
            </>
          )}
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/environments/$environmentId/devices" params={{ environmentId }} {...props} />
            )}
          >
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ClassChoiceProps {
  readonly classes: readonly ServiceClass[];
  /** One entry per instance. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The standard classes, each with its properties and a number of instances. */
function ClassChoice({ classes: known, chosen, onChange }: ClassChoiceProps) {
  const add = (service: string) => onChange([...chosen, service]);
  const take = (service: string) => {
    const at = chosen.lastIndexOf(service);
    onChange(chosen.filter((_, place) => place !== at));
  };
  return (
    <ul className={classes.grid}>
      {known.map(({ service, properties }) => {
        const count = chosen.filter((each) => each === service).length;
        return (
          <li key={service} className={classes.class} data-chosen={count > 0}>
            <div className={classes.text}>
              <strong>{service}</strong>
              <span className={classes.has}>{properties.map(({ property }) => property).join(", ")}</span>
            </div>
            <ActionIcon
              variant="default"
              onClick={() => take(service)}
              disabled={count === 0}
              aria-label={`Remove one ${service}`}
            >
              −
            </ActionIcon>
            <output className={classes.count} aria-label={`Number of ${service}`}>
              {count}
            </output>
            <ActionIcon variant="default" onClick={() => add(service)} aria-label={`Add one ${service}`}>
              <Icon name="plus" size={14} />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}
