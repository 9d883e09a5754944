import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { ArrowRight, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { mappingPresets, type MappingForm } from './draft.ts'

/** The contracts that a follower trades instead of the leader's, with the factor. */
export const MappingFields = ({ mappings, error, onChange }: { mappings: readonly MappingForm[]; error: string | null; onChange: (mappings: readonly MappingForm[]) => void }) => {
  const { t } = useTranslation('trade-copier')
  const offered = mappingPresets.filter(({ from }) => !mappings.some((known) => known.from.trim().toUpperCase() === from))
  const add = (mapping: MappingForm): void => { onChange([...mappings, mapping]) }
  return (
    <div role="group" aria-label={t('mapping.title')} className="flex flex-col gap-1.5">
      <p className="text-sm font-medium text-muted">{t('mapping.title')}</p>
      {mappings.length === 0 && <p className="text-sm text-faint">{t('mapping.none')}</p>}
      {mappings.map((mapping, at) => (
        <Row
          // Rows have no identity except their index.
          key={at}
          mapping={mapping}
          number={at + 1}
          wrong={error !== null}
          onChange={(next) => { onChange(mappings.map((one, place) => (place === at ? next : one))) }}
          onRemove={() => { onChange(mappings.filter((_, place) => place !== at)) }}
        />
      ))}
      {error !== null && (
        <p role="alert" className="text-sm text-loss">
          {error}
        </p>
      )}
      <div>
        <Menu
          trigger={
            <Button variant="outline" size="sm">
              <Plus aria-hidden />
              {t('mapping.add')}
            </Button>
          }
        >
          {offered.map((preset) => (
            <MenuItem key={preset.from} onSelect={() => { add(preset) }}>
              {t('mapping.preset', preset)}
            </MenuItem>
          ))}
          <MenuItem onSelect={() => { add({ from: '', to: '', num: '1', den: '1' }) }}>{t('mapping.other')}</MenuItem>
        </Menu>
      </div>
    </div>
  )
}

const Row = ({ mapping, number, wrong, onChange, onRemove }: { mapping: MappingForm; number: number; wrong: boolean; onChange: (mapping: MappingForm) => void; onRemove: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const field = (name: keyof MappingForm, width: string, className: string) => (
    <span className={width}>
      <Input
        className={className}
        aria-label={t(`mapping.${name}`, { number })}
        aria-invalid={wrong ? true : undefined}
        autoComplete="off"
        maxLength={name === 'from' || name === 'to' ? 20 : 4}
        inputMode={name === 'from' || name === 'to' ? 'text' : 'numeric'}
        value={mapping[name]}
        onChange={({ target }) => { onChange({ ...mapping, [name]: target.value }) }}
      />
    </span>
  )
  return (
    <div className="flex flex-wrap items-center gap-2">
      {field('from', 'w-20', 'uppercase')}
      <ArrowRight aria-hidden className="size-4 text-faint" />
      {field('to', 'w-20', 'uppercase')}
      {field('num', 'w-14', 'text-right')}
      <span className="text-sm text-muted">{t('rule.for')}</span>
      {field('den', 'w-14', 'text-right')}
      <Button variant="ghost" size="icon" aria-label={t('mapping.remove', { number })} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </div>
  )
}
