/** The form for a new environment. */
import { Select } from "@mantine/core";
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ALIAS_ERRORS, AliasInput } from "../../kit/forms/alias-field.tsx";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

interface NewEnvironmentDialogProps {
  /** The choice of ecosystems, when there are several. */
  readonly ecosystems: readonly Ecosystem[];
  /** The preselected ecosystem. */
  readonly ecosystemId: string;
  readonly onMade?: (made: Environment) => void;
  readonly onClose: () => void;
}

export default function NewEnvironmentDialog(props: NewEnvironmentDialogProps) {
  const { ecosystems, ecosystemId, onMade, onClose } = props;
  const api = useApi();
  const queries = useQueryClient();
  const [alias, setAlias] = useState("");
  const [within, setWithin] = useState(ecosystemId);
  const act = async () => {
    const made = await api.environments.create({ ecosystemId: within, ...(alias !== "" && { alias }) });
    await queries.invalidateQueries({ queryKey: ["environments"] });
    return made;
  };
  return (
    <FormModal
      title="Create environment"
      submitLabel="Create environment"
      atFields={ALIAS_ERRORS}
      act={act}
      onClose={onClose}
      {...(onMade && { onDone: onMade })}
    >
      {(error) => (
        <>
          <AliasInput label="Name" value={alias} onChange={setAlias} error={error} />
          {ecosystems.length > 1 && (
            <Select
              label="Ecosystem"
              data={ecosystems.map((each) => ({ value: each.id, label: cut(nameOf(each), 60) }))}
              value={within}
              onChange={(id) => id !== null && setWithin(id)}
              allowDeselect={false}
              searchable
            />
          )}
        </>
      )}
    </FormModal>
  );
}
