import type { Evidence, Finding, Measure, MeasureName, Report, ReportFact } from '#shared/api/reports.ts'

const money = (name: MeasureName, value: string): Measure => ({ name, unit: 'money', value, currency: 'USD' })
const count = (name: MeasureName, value: string, unit: Measure['unit'] = 'count'): Measure => ({ name, unit, value, currency: null })
/** A fact of as many trades as its figures say, or of one. */
export const fact = (id: string, kind: ReportFact['kind'], about: ReportFact['about'], measures: Measure[]): ReportFact => ({ id, kind, about, finding: null, measures, trades: Number(measures.find(({ name }) => name === 'trades')?.value ?? 1) })

const finding = (key: string, kind: Finding['kind'], about: Finding['about'], evidence: Evidence, excess: Finding['excess'] = null): Finding => ({ key, kind, about, currency: 'USD', evidence, trades: 12, others: 26, net: '-150.25', excess, chance: evidence === 'possible' ? { alone: 0.012, corrected: 0.4 } : null, measures: [], bars: [], barsIn: 'money' })

/** Facts of one made-up week, of every kind that a narrative refers to, and its findings. */
export const knownWeek: Pick<Report, 'facts' | 'findings' | 'names' | 'period' | 'tried'> = {
  facts: [
    fact('f1', 'total', {}, [
      money('net', '1240.50'), money('gross', '1316.50'), money('commission', '-76.00'), money('average', '32.64'), money('average-win', '95.20'), money('average-loss', '-48.11'), money('largest-win', '420.00'), money('largest-loss', '-210.00'), money('drawdown', '-512.25'),
      count('profit-factor', '1.823000', 'ratio'), count('trades', '38'), count('wins', '22'), count('losses', '16'), count('win-rate', '0.578947', 'share'), count('days', '5', 'days'), count('hold', '245000', 'time'), count('longest-wins', '5'), count('longest-losses', '3'),
    ]),
    fact('f2', 'weekday', { weekday: 1 }, [money('net', '-150.25'), money('average', '-12.52'), count('trades', '12'), count('wins', '5'), count('losses', '7'), count('win-rate', '0.416667', 'share')]),
    fact('f3', 'weekday', { weekday: 2 }, [money('net', '200.00'), money('average', '20.00'), count('trades', '10'), count('wins', '6'), count('losses', '4'), count('win-rate', '0.6', 'share')]),
    fact('f14', 'weekday', { weekday: 3 }, [money('net', '1190.75'), money('average', '74.42'), count('trades', '16'), count('wins', '11'), count('losses', '5'), count('win-rate', '0.6875', 'share')]),
    fact('f4', 'hour', { hour: 9 }, [money('net', '640.00'), count('trades', '14')]),
    fact('f5', 'product', { product: 'MES' }, [money('net', '-80.00'), count('trades', '9')]),
    fact('f6', 'account', { account: 'a' }, [money('net', '900.00'), count('trades', '20')]),
    fact('f7', 'day', { day: '2026-03-03' }, [money('net', '333.00'), count('trades', '4')]),
    { ...fact('f8', 'weekday', { weekday: 1 }, [money('net', '-150.25'), count('trades', '12'), money('excess', '-310.75'), money('excess-low', '-520.00'), money('excess-high', '-90.10'), count('chance', '0.012', 'chance'), money('average', '-12.52'), money('average-other', '30.10')]), finding: 'monday' },
    fact('f9', 'side', { side: 'short' }, [money('net', '-500.00'), count('trades', '18')]),
    { ...fact('f11', 'early-exit', {}, [money('net', '10.00'), count('trades', '8'), count('hold', '60000', 'time'), count('hold-other', '180000', 'time')]), finding: 'early' },
    { ...fact('f13', 'cost-share', {}, [money('gross', '1316.50'), money('commission', '-76.00'), count('share', '0.0577', 'share')]), finding: 'cost' },
    { ...fact('f12', 'revenge', {}, [money('net', '-310.00'), count('trades', '7')]), finding: 'revenge' },
    { ...fact('f10', 'hold', { heldFrom: 0, heldTo: 300_000 }, [money('net', '75.00'), count('trades', '6')]), finding: 'hold' },
  ],
  findings: [
    finding('monday', 'weekday', { weekday: 1 }, 'possible', { value: '-310.75', low: '-520.00', high: '-90.10' }), finding('early', 'early-exit', {}, 'untested'), finding('cost', 'cost-share', {}, 'untested'), finding('revenge', 'revenge', {}, 'too-little'), finding('hold', 'hold', { heldFrom: 0, heldTo: 300_000 }, 'untested'),
  ],
  names: [{ account: 'a', name: 'LTD01', pseudonym: 'Account A', firm: null }, { account: 'b', name: 'LTD02', pseudonym: 'Account B', firm: null }],
  period: { kind: 'week', from: '2026-03-02', to: '2026-03-06' },
  tried: 9,
}
