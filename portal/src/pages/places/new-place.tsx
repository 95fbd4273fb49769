/** Buttons that make an ecosystem or an environment. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Ecosystem } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ALIAS_ERRORS, AliasInput } from "../../kit/forms/alias-field.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { useApi } from "../../session/context.tsx";
import NewEnvironmentDialog from "./new-environment-dialog.tsx";

export function NewEcosystem({ onMade }: { readonly onMade: (made: Ecosystem) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [alias, setAlias] = useState("");
  const act = async () => {
    const made = await api.ecosystems.create(alias === "" ? {} : { alias });
    await queries.invalidateQueries({ queryKey: ["ecosystems"] });
    return made;
  };
  return (
    <FormDialog
      label="Create ecosystem"
      title="Create ecosystem"
      submitLabel="Create ecosystem"
      variant="default"
      atFields={ALIAS_ERRORS}
      act={act}
      onDone={onMade}
    >
      {(error) => (
        <AliasInput
          label="Name"
          description="Optional. An alias, unique in the account."
          value={alias}
          onChange={setAlias}
          error={error}
        />
      )}
    </FormDialog>
  );
}

/** In that ecosystem. */
export function NewEnvironment({ ecosystemId }: { readonly ecosystemId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Create environment
      </Button>
      {isOpen && <NewEnvironmentDialog ecosystems={[]} ecosystemId={ecosystemId} onClose={close} />}
    </>
  );
}
