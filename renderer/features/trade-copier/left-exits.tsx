import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import type { CopyGroup, LiveGroup } from '#shared/api/copier.ts'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccountNames } from './use-account-names.ts'
import type { CopierAct } from './use-copier-acts.ts'
import { useFigures } from './use-figures.ts'
import { useOrderType } from './use-order-type.ts'

type ExitsLeft = LiveGroup['left']
type Props = { readonly group: CopyGroup; readonly left: ExitsLeft; readonly busy: boolean; readonly act: (act: CopierAct) => void }

/** A group's exits that still work for accounts that no longer follow, and the button that cancels them. */
export const LeftExits = ({ group, left, busy, act }: Props) => {
  const { t } = useTranslation('trade-copier')
  const [asks, setAsks] = useState(false)
  if (left.length === 0) return null
  return (
    <section aria-label={t('left.title', { count: left.length })} className="border-b border-hairline bg-warn-tint px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-60 grow basis-80">
          <h3 className="flex items-center gap-2 font-semibold">
            <ShieldAlert aria-hidden className="size-4 text-warn" />
            {t('left.title', { count: left.length })}
          </h3>
          <p className="mt-1 max-w-3xl text-muted">{t('left.text')}</p>
          <LeftList left={left} />
        </div>
        <Button variant="outline" size="sm" disabled={busy} aria-label={t('left.cancel-of', { group: group.name })} onClick={() => { setAsks(true) }}>
          {t('left.cancel')}
        </Button>
      </div>
      {asks && (
        <Dialog
          open
          width="sm"
          onClose={() => { setAsks(false) }}
          title={t('left.confirm')}
          description={t('left.confirm-text')}
          footer={<AskButtons cancel={t('left.keep')} onCancel={() => { setAsks(false) }} confirm={t('left.cancel')} variant="destructive" onClick={() => { setAsks(false); act({ do: 'cancel-left', id: group.id }) }} />}
        >
          <LeftList left={left} />
        </Dialog>
      )}
    </section>
  )
}

const LeftList = ({ left }: { left: ExitsLeft }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const orderType = useOrderType()
  const figures = useFigures()
  return (
    <ul className="mt-2 flex flex-col gap-1">
      {left.map(({ account, contract, side, qty, type, price }, at) => (
        <li key={`${account} ${contract} ${type} ${String(at)}`} className="flex flex-wrap gap-x-3">
          <span className="font-medium proportional-nums">{nameOf(account)}</span>
          <span>{t('left.order', { side: t(`side.${side}`), qty: figures.count(qty), contract })}</span>
          <span className="text-muted">{price === null ? orderType(type) : t('left.at', { type: orderType(type), price })}</span>
        </li>
      ))}
    </ul>
  )
}
