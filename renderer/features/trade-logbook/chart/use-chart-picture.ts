import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeepPicture } from '../picture-calls.ts'
import { picturePlaces } from '../user-fields.ts'
import type { TradeForm } from '../trade-saving.ts'
import type { PriceChart } from './price-chart.ts'

/** Puts a picture of a chart into the trade's first free place for one; `headline` is its caption if it has none. */
export const useChartPicture = (form: Pick<TradeForm, 'editing' | 'change' | 'saveSoon'>): { readonly busy: boolean; readonly take: (chart: PriceChart, headline: string) => void } => {
  const { t } = useTranslation('trade-chart')
  const words = useProblemText()
  const keep = useKeepPicture()
  const [busy, setBusy] = useState(false)
  const take = async (chart: PriceChart, headline: string): Promise<void> => {
    const { own } = form.editing.draft
    const place = picturePlaces.find((one) => own[one] === '')
    if (place === undefined) {
      toast({ title: t('trade-logbook:pictures-crowded'), tone: 'error' })
      return
    }
    const name = await keep(await chart.picture())
    form.change((draft) => ({ ...draft, own: { ...draft.own, [place]: name, [`${place}Headline`]: draft.own[`${place}Headline`] || headline } }))
    form.saveSoon()
    toast({ title: t('picture-kept') })
  }
  return {
    busy,
    take: (chart, headline) => {
      setBusy(true)
      void take(chart, headline)
        .catch((failure: unknown) => { toast({ title: t('picture-failed'), text: words(failure), tone: 'error' }) })
        .finally(() => { setBusy(false) })
    },
  }
}
