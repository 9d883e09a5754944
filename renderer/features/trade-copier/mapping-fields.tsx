import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { ArrowRight, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { mappingPresets, type TypedMapping } from './draft.ts'
import type { GroupForm } from './use-group-form.ts'

/** The contracts that a follower trades instead of the leader's, with the factor. */
export const MappingFields = ({ form, name, mappings }: { form: GroupForm; name: `followers.${number}.mappings`; mappings: readonly TypedMapping[] }) => {
  const { t } = useTranslation('trade-copier')
  const error = form.errorOf(name)
  const offered = mappingPresets.filter(({ from }) => !mappings.some((known) => known.from.trim().toUpperCase() === from))
  const add = (mapping: TypedMapping): void => { form.set(name, [...mappings, mapping]) }
  const field = (row: number, part: 'from' | 'to' | 'factor.num' | 'factor.den', label: string) => {
    const isProduct = part === 'from' || part === 'to'
    return (
      <span className={isProduct ? 'w-20' : 'w-14'}>
        <Input
          {...form.register(`${name}.${row}.${part}`)}
          className={isProduct ? 'uppercase' : 'text-right'}
          aria-label={label}
          aria-invalid={error === null ? undefined : true}
          autoComplete="off"
          maxLength={isProduct ? 20 : 4}
          inputMode={isProduct ? 'text' : 'numeric'}
        />
      </span>
    )
  }
  return (
    <div role="group" aria-label={t('mapping.title')} className="flex flex-col gap-1.5">
      <p className="text-sm font-medium text-muted">{t('mapping.title')}</p>
      {mappings.length === 0 && <p className="text-sm text-faint">{t('mapping.none')}</p>}
      {mappings.map((_, row) => {
        const number = { number: row + 1 }
        return (
          // Rows have no identity except their index.
          <div key={row} className="flex flex-wrap items-center gap-2">
            {field(row, 'from', t('mapping.from', number))}
            <ArrowRight aria-hidden className="size-4 text-faint" />
            {field(row, 'to', t('mapping.to', number))}
            {field(row, 'factor.num', t('mapping.num', number))}
            <span className="text-sm text-muted">{t('rule.for')}</span>
            {field(row, 'factor.den', t('mapping.den', number))}
            <Button variant="ghost" size="icon" aria-label={t('mapping.remove', number)} onClick={() => { form.set(name, mappings.filter((_one, place) => place !== row)) }}>
              <Trash2 aria-hidden />
            </Button>
          </div>
        )
      })}
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
              {t('mapping.preset', { from: preset.from, to: preset.to, ...preset.factor })}
            </MenuItem>
          ))}
          <MenuItem onSelect={() => { add({ from: '', to: '', factor: { num: '1', den: '1' } }) }}>{t('mapping.other')}</MenuItem>
        </Menu>
      </div>
    </div>
  )
}
