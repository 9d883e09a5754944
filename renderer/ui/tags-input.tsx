import { tagSeparator, tagsOf, type TagDraft } from '#renderer/lib/tags.ts'
import { X } from 'lucide-react'
import { useId, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** A field for tags: Enter or a comma adds the typed text, Backspace in the empty field removes the last one; `known` tags complete it. */
export const TagsInput = ({
  draft,
  known,
  onChange,
  onBlur,
  ...attributes
}: {
  draft: TagDraft
  known: readonly string[]
  onChange: (draft: TagDraft) => void
  /** Called once the focus has left the field and its tags. */
  onBlur?: () => void
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}) => {
  const { t } = useTranslation('ui')
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const open = known.filter((tag) => !draft.tags.includes(tag))

  const type = (typed: string, isChosen: boolean): void => {
    onChange(isChosen || typed.includes(tagSeparator) ? { tags: tagsOf({ tags: draft.tags, typed }), typed: '' } : { tags: draft.tags, typed })
  }
  const remove = (tag: string): void => {
    onChange({ ...draft, tags: draft.tags.filter((one) => one !== tag) })
    // The button disappears with its tag.
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = draft.tags.at(-1)
    if (event.key === 'Enter' && draft.typed.trim() !== '') {
      event.preventDefault()
      onChange({ tags: tagsOf(draft), typed: '' })
    } else if (event.key === 'Backspace' && draft.typed === '' && last !== undefined) {
      event.preventDefault()
      remove(last)
    }
  }
  return (
    <div
      className="flex min-h-8 w-full flex-wrap items-center gap-1 rounded-md border border-field bg-surface px-1.5 py-0.75 -outline-offset-1 transition-colors duration-100 focus-within:outline-2 focus-within:outline-accent hover:border-muted has-aria-invalid:border-loss"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onBlur?.()
      }}
    >
      {draft.tags.map((tag) => (
        <span key={tag} className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm bg-raised pl-1.75 text-sm">
          <span className="truncate">{tag}</span>
          <button type="button" aria-label={t('remove-tag', { tag })} title={t('remove-tag', { tag })} onClick={() => { remove(tag) }} className="grid size-6 place-items-center rounded-sm text-faint hover:text-ink">
            <X aria-hidden className="size-3.5" />
          </button>
        </span>
      ))}
      <input
        {...attributes}
        ref={field}
        list={list}
        value={draft.typed}
        // A choice from the list replaces the typed text, and is complete.
        onChange={({ target, nativeEvent }) => { type(target.value, nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertReplacementText') }}
        onKeyDown={onKeyDown}
        enterKeyHint="done"
        spellCheck={false}
        className="h-6 w-20 grow bg-transparent px-1 text-ink outline-none [&::-webkit-calendar-picker-indicator]:hidden!"
      />
      <datalist id={list}>
        {open.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </div>
  )
}
