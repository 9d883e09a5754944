import { Select } from '#renderer/ui/select.tsx'
import type { CopyGroup } from '#shared/api/copier.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const all = '-'

/** The selected group; `query` narrows a call to it. */
export const useGroupChoice = (groups: readonly CopyGroup[]) => {
  const [chosen, onChange] = useState(all)
  const known = groups.some(({ id }) => id === chosen)
  const query: { groupId?: string } = known ? { groupId: chosen } : {}
  return { value: known ? chosen : all, onChange, query }
}

/** Selects one group or all. */
export const GroupChoice = ({ groups, value, onChange }: { groups: readonly CopyGroup[]; value: string; onChange: (id: string) => void }) => {
  const { t } = useTranslation('trade-copier')
  return <Select aria-label={t('group')} className="w-44" value={value} onChange={onChange} options={[{ value: all, label: t('all-groups') }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]} />
}
