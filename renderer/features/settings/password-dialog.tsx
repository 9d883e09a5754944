import { ApiFailure } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import type { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useId, type ComponentProps, type ReactNode } from 'react'

/** The form's submission. */
type Sending = { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void; readonly reset: () => void }

type Props = {
  readonly title: string
  readonly description: string
  readonly cancel: string
  readonly confirm: string
  readonly variant?: ComponentProps<typeof Button>['variant']
  readonly sending: Sending
  /** Whether the form may be sent, apart from its password. */
  readonly ready?: boolean
  /** The password's field; null if none is needed. */
  readonly password: { readonly label: string; readonly wrong: string; readonly value: string; readonly onChange: (value: string) => void } | null
  readonly onClose: () => void
  /** Above the form. */
  readonly about?: ReactNode
  /** Further fields. */
  readonly children?: ReactNode
}

/** A dialog that asks for the password before it continues. It stays open meanwhile; a wrong password shows at its field, any other problem below the form. */
export const PasswordDialog = ({ title, description, cancel, confirm, variant = 'default', sending, ready = true, password, onClose, about, children }: Props) => {
  const words = useProblemText()
  const formId = useId()
  const { isPending, error, mutate, reset } = sending
  const isWrong = password !== null && error instanceof ApiFailure && error.code === 'wrong-credentials'
  const mayGo = ready && password?.value !== ''
  return (
    <Dialog
      open
      onClose={() => { if (!isPending) onClose() }}
      title={title}
      description={description}
      footer={<AskButtons cancel={cancel} onCancel={onClose} locked={isPending} confirm={confirm} variant={variant} type="submit" form={formId} disabled={!mayGo} busy={isPending} />}
    >
      {about && <div className="mb-4">{about}</div>}
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          if (mayGo) mutate()
        }}
      >
        {password && (
          <Field label={password.label} error={isWrong ? password.wrong : null}>
            {(field) => (
              <Input
                {...field}
                type="password"
                autoComplete="current-password"
                value={password.value}
                onChange={({ target }) => {
                  password.onChange(target.value)
                  reset()
                }}
              />
            )}
          </Field>
        )}
        {children}
        {error && !isWrong && <Notice tone="error">{words(error)}</Notice>}
      </form>
    </Dialog>
  )
}
