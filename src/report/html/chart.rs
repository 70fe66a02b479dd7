//! The report's charts: SVG 1.1 that stands in the page.
//!
//! Colours are attributes, since the page's policy has no place for styles in elements. They
//! are those of the light theme, so that a chart is right without a style sheet; page.css
//! repaints each of them in the dark. Texts in charts are numbers only.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Color as _, DrawingArea, EmptyElement,
    IntoDrawingArea as _, IntoFont as _, RGBColor, Rectangle, SVGBackend, TRANSPARENT, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::gather::{Counts, Year};
use super::markup::grouped;

/// What is an error, and was asked where that was wanted.
const BAD: RGBColor = RGBColor(196, 69, 54);
/// What is malformed, where others were asked.
const MALFORMED: RGBColor = RGBColor(227, 161, 143);
const DOUBTFUL: RGBColor = RGBColor(214, 158, 46);
const GOOD: RGBColor = RGBColor(70, 145, 112);
const FAINT: RGBColor = RGBColor(163, 171, 180);
/// Lines behind a chart, and the numbers beside it.
const GRID: RGBColor = RGBColor(226, 228, 224);
const INK: RGBColor = RGBColor(98, 104, 112);

/// Width of a bar in its own units; the page stretches it.
const BAR_WIDTH: u32 = 1000;
const BAR_HEIGHT: u32 = 10;

/// A bar of the verdicts, the worst first, of which `whole` would fill all.
pub(super) fn bar(counts: &Counts, whole: u64) -> String {
    let [good, doubtful, bad, skipped] = *counts;
    let parts = [(BAD, bad), (DOUBTFUL, doubtful), (GOOD, good), (FAINT, skipped)];
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (BAR_WIDTH, BAR_HEIGHT)).into_drawing_area();
        let mut begin = 0;
        for (colour, count) in parts.into_iter().filter(|&(_, count)| count > 0) {
            let end = begin + count;
            // One unit at least: a single error among millions is seen.
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
    /// What stands below it.
    pub(super) name: String,
    pub(super) year: Year,
}

const YEARS_SIZE: (u32, u32) = (960, 330);
/// Height of the part that shows shares; below it is shown of how many links.
const SHARES_HEIGHT: i32 = 248;
/// Columns of few years are not made wider than those of some more.
const COLUMNS_MIN: usize = 8;
/// Names that stand beside each other without touching.
const NAMES_MAX: usize = 16;
/// Room for names, and for numbers beside the chart.
const BELOW: u32 = 26;
const LEFT: u32 = 60;
const TEXT_SIZE: i32 = 13;
/// Between the lowest line and the names.
const NAME_BELOW: i32 = 8;
/// Where a column stands in its year.
const SIDES: [f64; 2] = [0.14, 0.86];

/// Columns of the share of what is dead and of what is malformed, by year, and below them how
/// many links that is of.
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

/// A chart with a number at each of some `lines`, and none below it.
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
            // An offset in units of the screen, from a point in those of the chart.
            let name = Text::new(name.clone(), (0, NAME_BELOW), style.clone());
            chart.draw_series([EmptyElement::at((f64::from(idx) + 0.5, 0.0)) + name])?;
        }
    }
    Ok(())
}

fn draw_volumes(columns: &[Column], area: &Area<'_>) -> Drawn {
    let volume = |column: &Column| u32::try_from(column.year.judged()).map_or(f64::MAX, f64::from);
    let tallest = columns.iter().map(volume).fold(1.0, f64::max);
    // Lines stand at whole numbers of links only.
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

/// The share of the links of `year` that are errors, in percent.
fn bad(year: &Year) -> f64 {
    share(year.dead + year.malformed, year)
}

/// Beyond 2^53 findings the last digits are lost, which nobody sees in a chart.
fn share(count: u64, year: &Year) -> f64 {
    let tenths = u128::from(count) * 100_000 / u128::from(year.judged().max(1));
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 1000.0
}
