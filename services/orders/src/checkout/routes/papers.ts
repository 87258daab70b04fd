import type { Calendar } from '@storefront/calendar';
import { allPages, type ordersOperations } from '@storefront/contracts';
import { createCsv, csvMediaType } from '@storefront/csv';
import { orderConfirmationPdf, packingSlipPdf } from '@storefront/documents';
import { streamPages, type DocumentFile, type Handlers, type SendDocument } from '@storefront/http';
import { orderColumns, rowsOfOrder } from '../domain/order-rows.ts';
import { confirmationOf, packingSlipOf, type PaperSettings } from '../domain/papers.ts';
import type { OrderStore } from '../store/orders.ts';
import type { OrderFinder } from './find-order.ts';

type Operation = 'getOrderConfirmation' | 'getPackingSlip' | 'exportOrders';

export interface PaperParts extends Pick<OrderStore, 'pageOfPlaced'> {
  readonly paperSettings: PaperSettings & { readonly calendar: Calendar };
  readonly sendDocument: SendDocument;
}

// With 100 lines each they are some 10 MB.
const ordersAtOnce = 100;

/** Papers of orders as PDF, and the export for bookkeeping. A paper is made anew each time, of the stored order. */
export function paperHandlers(parts: PaperParts & OrderFinder): Pick<Handlers<typeof ordersOperations>, Operation> {
  const { load, findFor, pageOfPlaced, paperSettings, sendDocument } = parts;
  const { calendar } = paperSettings;

  return {
    async getOrderConfirmation(request, reply) {
      const document = confirmationOf(await findFor(request), paperSettings);
      return sendDocument(reply, pdf(document.number), () => orderConfirmationPdf(document));
    },

    async getPackingSlip({ params, query: { shipmentId } }, reply) {
      const document = packingSlipOf(await load(params.id), shipmentId, paperSettings);
      const name = `packing-slip-${shipmentId ?? document.number}`;
      return sendDocument(reply, pdf(name), () => packingSlipPdf(document));
    },

    async exportOrders({ query: { from, to, dialect } }, reply) {
      const { head, lines } = createCsv(orderColumns, dialect);
      const [begin, end] = [calendar.startOf(from), calendar.startOf(to)];
      const pages = allPages((slice) => pageOfPlaced(begin, end, slice), ordersAtOnce);
      const text = await streamPages(head, pages, (orders) =>
        lines(orders.flatMap(({ state }) => rowsOfOrder(state, calendar))),
      );
      return reply
        .header('content-disposition', `attachment; filename="orders-${from}-${to}.csv"`)
        .type(csvMediaType)
        .send(text);
    },
  };
}

function pdf(name: string): DocumentFile {
  return { name: `${name}.pdf`, mediaType: 'application/pdf', disposition: 'inline' };
}
