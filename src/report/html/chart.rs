//! Draws the report's charts as SVG 1.1 within the page.
//!
//! Colours are attributes, because the page's policy does not allow styles in elements. They are
//! those of the light theme, so that a chart is right without a style sheet; page.css replaces each
//! of them in the dark theme. Texts in charts contain numbers only.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Color as _, DrawingArea, EmptyElement,
    IntoDrawingArea as _, IntoFont as _, RGBColor, Rectangle, SVGBackend, TRANSPARENT, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::gather::{Counts, Year};
use super::markup::grouped;

/// The colour of errors; in the chart of years, of dead links.
const BAD: RGBColor = RGBColor(196, 69, 54);
/// The colour of malformed links in the chart of years.
const MALFORMED: RGBColor = RGBColor(227, 161, 143);
const DOUBTFUL: RGBColor = RGBColor(214, 158, 46);
const GOOD: RGBColor = RGBColor(70, 145, 112);
const FAINT: RGBColor = RGBColor(163, 171, 180);
/// The colours of the lines of a chart, and of the text beside it.
const GRID: RGBColor = RGBColor(226, 228, 224);
const INK: RGBColor = RGBColor(98, 104, 112);

/// The width of a bar in its own units; the page stretches it.
const BAR_WIDTH: u32 = 1000;
const BAR_HEIGHT: u32 = 10;

/// Draws a bar of the verdicts, the worst first, with a width in proportion to `whole`.
pub(super) fn bar(counts: &Counts, whole: u64) -> String {
    let [good, doubtful, bad, skipped] = *counts;
    let parts = [(BAD, bad), (DOUBTFUL, doubtful), (GOOD, good), (FAINT, skipped)];
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (BAR_WIDTH, BAR_HEIGHT)).into_drawing_area();
        let mut begin = 0;
        for (colour, count) in parts.into_iter().filter(|&(_, count)| count > 0) {
            let end = begin + count;
            // At least one unit, so that a single error among millions is visible.
            let left = position(begin, whole);
            let right = position(end, whole).max(left + 1);
            // Writing to a string cannot fail.
            let _ = area.draw(&Rectangle::new([(left, 0), (right, 10)], colour.filled()));
            begin = end;
        }
        let _ = area.present();
    }
    svg.replacen("<svg ", r#"<svg preserveAspectRatio="none" "#, 1)
}

fn position(count: u64, whole: u64) -> i32 {
    let at = u128::from(count) * u128::from(BAR_WIDTH) / u128::from(whole.max(1));
    i32::try_from(at).unwrap_or_default()
}

/// One column of the chart of years.
pub(super) struct Column {
    /// The label below the column.
    pub(super) name: String,
    pub(super) year: Year,
}

const YEARS_SIZE: (u32, u32) = (960, 330);
/// Height of the upper part, which shows shares; the lower part shows numbers of links.
const SHARES_HEIGHT: i32 = 248;
/// Minimum number of columns that the width is divided by, so that few columns are not too wide.
const COLUMNS_MIN: usize = 8;
/// Maximum number of labels that do not touch each other.
const NAMES_MAX: usize = 16;
/// Space for labels, and for numbers beside the chart.
const BELOW: u32 = 26;
const LEFT: u32 = 60;
const TEXT_SIZE: i32 = 13;
/// Distance between the lowest line and the labels.
const NAME_BELOW: i32 = 8;
/// The left and right side of a column, as fractions of its year's width.
const SIDES: [f64; 2] = [0.14, 0.86];

/// Draws columns of the shares of dead and of malformed links by year, and below them the number of
/// links.
pub(super) fn years(columns: &[Column]) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = draw_years(columns, &mut svg);
    svg
}

type Drawn = Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn draw_years(columns: &[Column], svg: &mut String) -> Drawn {
    let area = SVGBackend::with_string(svg, YEARS_SIZE).into_drawing_area();
    let (upper, lower) = area.split_vertically(SHARES_HEIGHT);
    draw_shares(columns, &upper)?;
    draw_volumes(columns, &lower)?;
    area.present()?;
    Ok(())
}

/// Draws a chart with about `lines` horizontal lines, a number at each, and `below` units for
/// labels.
fn grid<'a>(
    area: &Area<'a>,
    (width, top): (f64, f64),
    (below, lines): (u32, usize),
    number: &dyn Fn(&f64) -> String,
) -> Result<Chart<'a>, Box<dyn std::error::Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(12)
        .margin_right(8)
        .x_label_area_size(below)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(0.0..width, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_labels(lines)
        .y_max_light_lines(1)
        .bold_line_style(GRID)
        .light_line_style(GRID)
        .axis_style(TRANSPARENT)
        .y_label_formatter(number)
        .y_label_style(("sans-serif", TEXT_SIZE, &INK))
        .draw()?;
    Ok(chart)
}

fn width(columns: &[Column]) -> f64 {
    u32::try_from(columns.len().max(COLUMNS_MIN)).map_or(f64::MAX, f64::from)
}

fn draw_shares(columns: &[Column], area: &Area<'_>) -> Drawn {
    let tallest = columns.iter().map(|column| bad(&column.year)).fold(0.0, f64::max);
    let top = [5.0, 10.0, 25.0, 50.0, 100.0].into_iter().find(|&top| tallest <= top);
    let ends = (width(columns), top.unwrap_or(100.0));
    let mut chart = grid(area, ends, (BELOW, 6), &|share| format!("{share:.0} %"))?;
    let below = Pos::new(HPos::Center, VPos::Top);
    let style = ("sans-serif", TEXT_SIZE).into_font().color(&INK).pos(below);
    let step = columns.len().div_ceil(NAMES_MAX).max(1);
    for (idx, Column { name, year }) in (0..).zip(columns) {
        let (dead, all) = (share(year.dead, year), bad(year));
        chart.draw_series([column(idx, 0.0, dead, BAD), column(idx, dead, all, MALFORMED)])?;
        if idx.is_multiple_of(u32::try_from(step)?) {
            // An offset in screen units, from a point in chart units.
            let name = Text::new(name.clone(), (0, NAME_BELOW), style.clone());
            chart.draw_series([EmptyElement::at((f64::from(idx) + 0.5, 0.0)) + name])?;
        }
    }
    Ok(())
}

fn draw_volumes(columns: &[Column], area: &Area<'_>) -> Drawn {
    let volume = |column: &Column| u32::try_from(column.year.judged()).map_or(f64::MAX, f64::from);
    let tallest = columns.iter().map(volume).fold(1.0, f64::max);
    // Only lines at whole numbers of links have a label.
    let number = |count: &f64| match format!("{count}").parse() {
        Ok(whole) => grouped(whole),
        Err(_) => String::new(),
    };
    let mut chart = grid(area, (width(columns), tallest), (8, 2), &number)?;
    let bars = (0..).zip(columns).map(|(idx, year)| column(idx, 0.0, volume(year), FAINT));
    chart.draw_series(bars)?;
    Ok(())
}

fn column(idx: u32, low: f64, high: f64, colour: RGBColor) -> Rectangle<(f64, f64)> {
    let [left, right] = SIDES.map(|side| f64::from(idx) + side);
    Rectangle::new([(left, low), (right, high)], colour.filled())
}

/// Returns the share of errors among the judged links of `year`, in percent.
fn bad(year: &Year) -> f64 {
    share(year.dead + year.malformed, year)
}

/// Returns the share of `count` among the judged links of `year`, in percent. Three decimals are
/// enough for a chart.
fn share(count: u64, year: &Year) -> f64 {
    let tenths = u128::from(count) * 100_000 / u128::from(year.judged().max(1));
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 1000.0
}
